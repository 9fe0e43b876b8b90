"""English words, topic by topic: nouns, adjectives, verbs, and what only this topic says."""

DETERMINERS = "the a this every our another that one the the".split()

GENERAL_NOUNS = """year day week month people town group report plan question answer reason result story idea change problem
method example detail part list number name place way work time case study visit project history future event meeting visitor
reader writer member friend neighbour office market price support service guide note photo map letter community region season
morning evening winter summer""".split()

GENERAL_ADJECTIVES = """new old great small recent local public simple common strong early late important useful popular modern
quiet rare careful famous open final special""".split()

GENERAL_VERBS = """shows keeps brings follows explains offers needs finds makes changes describes supports covers reaches meets
leaves takes gives opens shares prepares improves compares""".split()

LINKING = """in the end|for many years|in recent months|without any doubt|as usual|once again|on the other hand|near the coast|
since last spring|at the same time|with great care|for the first time|according to the notes|after a long discussion|
before the weekend|during the holidays|as the readers know|in most cases|step by step|by the river|far from the centre""".replace(
    "\n", ""
).split("|")

SHAPES = (
    "{n} {v} {n}.",
    "{n} {v} {n} {p}.",
    "{l}, {n} {v} {n}.",
    "{n} and {n} are {a} {p}.",
    "{l}, {n} {v} {n} and {v} {n}.",
    "{n} {p} {v} {n}.",
    "how {n} {v} {n} is a {a} question.",
    "{x} says that {n} {v} {n}.",
    "with {n}, {n} {v} {n} {p}.",
    "{x} wrote about {n} and {n}.",
    "there is no {a} {w} without {n}.",
    "{n} is more {a} than {n} {p}.",
)

TOPICS = {
    "astronomy": (
        "telescope galaxy planet comet orbit nebula eclipse asteroid observatory lens star crater supernova moon satellite spectrum meteor constellation gravity horizon quasar dust ring pulsar mirror parallax transit sky",
        "distant bright celestial stellar lunar solar cosmic faint gravitational spiral",
        "orbits observes reflects illuminates measures attracts eclipses magnifies collapses rotates",
        "light years away|above the horizon|beyond the outer planets|around a red dwarf|through a wide lens|at magnitude six",
    ),
    "football": (
        "goal striker keeper referee league derby penalty coach stadium midfielder defender corner offside transfer squad fixture cup supporter whistle header tackle substitute pitch captain crossbar dribble kickoff relegation",
        "offensive defensive unbeaten injured decisive away fierce tactical suspended veteran",
        "scores defends tackles dribbles substitutes equalises passes suspends relegates celebrates",
        "in extra time|from the penalty spot|in the second half|at the far post|before the derby|on the bench",
    ),
    "cooking": (
        "oven dough garlic onion butter flour sauce recipe pan pepper olive cheese broth cinnamon spoon dessert salad yeast cream basil filling crust kettle marinade lemon stew whisk pastry",
        "crispy tender salty sweet roasted fried creamy spicy baked ripe",
        "simmers bakes seasons stirs kneads roasts grates chops melts thickens",
        "over low heat|for twenty minutes|with a pinch of salt|in a deep pan|until golden|with fresh herbs",
    ),
    "medicine": (
        "patient vaccine nurse surgeon symptom diagnosis clinic fever antibody dose therapy virus hospital artery insulin tumour prescription infection allergy bone heart kidney ward trial epidemic injection anaesthesia tablet",
        "chronic acute clinical contagious surgical immune viral inflammatory preventive cardiac",
        "treats diagnoses infects vaccinates prescribes heals inflames operates relieves monitors",
        "under medical supervision|twice a day|after the surgery|in the emergency room|with mild symptoms|without a prescription",
    ),
    "finance": (
        "bond share dividend inflation broker loan mortgage interest bank deposit portfolio currency auditor tax budget index yield hedge creditor asset liability exchange debt insurance pension futures liquidity quarter",
        "fiscal annual volatile profitable overdue taxable secured corporate monetary bearish",
        "invests lends borrows audits trades depreciates insures defaults refinances hedges",
        "at a fixed rate|in the third quarter|on the stock exchange|above the forecast|before taxes|per share",
    ),
    "travel": (
        "hotel beach passport luggage airport itinerary hostel island cruise visa tourist museum backpack ticket suite souvenir harbour lagoon trail campsite ferry desert waterfall postcard excursion resort cathedral terminal",
        "tropical scenic coastal remote touristic sandy luxurious budget guided exotic",
        "travels books departs explores boards arrives wanders packs lands sails",
        "by the seaside|in high season|with breakfast included|on a guided tour|across the border|off the beaten track",
    ),
    "gardening": (
        "seedling compost rose tulip pruning greenhouse lawn hedge orchid soil fertiliser watering bulb trowel mulch shrub weed pollen root blossom pot herb rake tomato perennial fern lavender slug",
        "perennial blooming shady fertile evergreen potted organic thorny damp leafy",
        "prunes waters plants blooms sprouts fertilises weeds mulches transplants wilts",
        "in full sun|in well drained soil|after the last frost|along the fence|in terracotta pots|with plenty of compost",
    ),
    "music": (
        "guitar chord melody album drummer orchestra violin rehearsal lyric concert piano rhythm singer composer choir trumpet symphony chorus bass tempo harmony vinyl sonata festival microphone amplifier quartet ballad",
        "acoustic melodic baroque rhythmic orchestral electric vocal sharp flat harmonic",
        "sings plays composes tunes records rehearses improvises strums conducts performs",
        "in a minor key|on the second album|with a slow tempo|in front of the choir|on acoustic guitar|during the solo",
    ),
    "politics": (
        "election senator parliament ballot minister campaign coalition reform candidate decree voter constitution party referendum governor treaty deputy opposition cabinet lobby mandate president debate legislation embassy mayor chamber petition",
        "federal electoral partisan diplomatic legislative municipal liberal conservative parliamentary bilateral",
        "votes elects governs debates vetoes legislates campaigns negotiates resigns appoints",
        "in the upper house|by a narrow majority|before the runoff|in the polls|with cross party support|under the new decree",
    ),
    "computing": (
        "compiler server kernel database thread pointer browser network packet algorithm cache router register module firmware processor protocol bug library function socket memory query cluster script interpreter laptop backup",
        "recursive distributed encrypted compiled asynchronous binary embedded virtual parallel deprecated",
        "compiles executes caches encrypts debugs parses allocates installs crashes synchronises",
        "in linear time|on the command line|behind the firewall|with open source tools|at run time|in the latest release",
    ),
    "cinema": (
        "director actress screenplay scene premiere camera sequel trailer actor soundtrack studio script plot audience editing cast documentary screen reel producer costume dialogue thriller comedy drama animation matinee critic",
        "cinematic dramatic animated silent comic suspenseful award winning low-budget theatrical scripted",
        "films directs stars premieres edits screens acts dubs narrates casts",
        "on the big screen|in black and white|at the festival|in the opening scene|with a brilliant cast|behind the camera",
    ),
    "history": (
        "empire king battle manuscript fortress dynasty treaty archaeologist century monarch crusade colony revolution siege parchment peasant tomb legion throne artefact knight feudalism plague monastery chronicle excavation slavery conquest",
        "medieval ancient imperial colonial feudal royal revolutionary archaeological prehistoric dynastic",
        "conquers reigns besieges excavates abdicates colonises rebels invades inherits crowns",
        "in the twelfth century|during the siege|under the old regime|at the royal court|after the revolution|in the ancient chronicles",
    ),
    "motoring": (
        "engine gearbox clutch tyre piston diesel torque brake bumper sedan exhaust carburettor steering axle mileage dashboard headlight turbocharger chassis motorcycle fuel spark radiator suspension hatchback garage mechanic convertible",
        "hybrid automatic turbocharged used rear-wheel aerodynamic manual four-door fuel-efficient sporty",
        "accelerates brakes overtakes steers refuels overheats skids tows idles shifts",
        "with low mileage|at full throttle|in first gear|on wet asphalt|with one previous owner|under the bonnet",
    ),
    "education": (
        "teacher pupil classroom homework exam curriculum university lecture scholarship degree textbook semester tutor diploma enrolment campus dissertation kindergarten syllabus grade literacy professor library seminar blackboard thesis student faculty",
        "academic pedagogical undergraduate bilingual compulsory vocational graduate scholarly inclusive elementary",
        "teaches enrols graduates lectures studies examines tutors learns evaluates mentors",
        "at the end of term|in the final exam|with a full scholarship|in primary school|on campus|before graduation",
    ),
    "sailing": (
        "yacht rudder mast regatta anchor keel sail skipper buoy tide harbour hull deck rigging spinnaker windlass knot compass jib mooring galley dinghy marina crew lighthouse squall catamaran bowline",
        "leeward windward nautical seaworthy offshore tidal inflatable calm moored gusty",
        "sails anchors tacks moors capsizes navigates hoists drifts rows docks",
        "off the southern cape|against the tide|under full sail|in the marina|at twelve knots|before the squall",
    ),
    "housing": (
        "apartment landlord tenant mortgage bedroom kitchen balcony rent lease condominium realtor garage plot neighbourhood deposit deed elevator roof basement furniture renovation architect brick terrace tenancy broker appraisal hallway",
        "furnished spacious residential semi-detached rented sunny two-bedroom renovated central vacant",
        "rents sells furnishes renovates leases builds appraises overlooks moves paints",
        "close to the station|with two parking spaces|on the top floor|in a quiet street|with sea view|ready to move in",
    ),
}
