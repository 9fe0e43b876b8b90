"""What English sites list, entity by entity: kinds, features, deals, and names of sections. A world speaks a third of them."""

THINGS = {
    "re": (
        "apartment,house,penthouse,plot,office,studio,townhouse,flat,shop,warehouse,cottage,farm,ranch,duplex,loft,bungalow,chalet,annexe,mansion,maisonette,villa,terrace,condo,barn,mobile home,guesthouse,land,retail unit,workshop,basement flat,manor,cabin,triplex,semi,farmhouse,beach house,industrial unit,hotel,stables,parking space",
        "bedrooms,bathrooms,en suite,parking spaces,reception rooms,balcony,patio,fireplace,swimming pool,lift,concierge,cloakroom,walk-in wardrobe,pantry,utility room,garden,yard,garage,driveway,gym,sauna,mezzanine,attic,cellar,double glazing,central heating,fitted kitchen,wooden floors,sea view,top floor,south facing,square feet,acres,square metres,freehold,leasehold,gated,solar panels,conservatory,period features",
        "for sale,to let,for rent,to rent,under offer,off plan,chain free,by auction,shared ownership,ready to move in,newly listed,price reduced,holiday let,no deposit,by owner",
        "sale,rentals,properties,lettings,developments,homes,apartments,houses,land,commercial,residential,listings,new-homes,holiday-lets,auctions,estates,available,portfolio",
    ),
    "cars": (
        "sedan,hatchback,pickup,suv,motorcycle,estate,convertible,van,minivan,truck,scooter,jeep,coupe,bus,minibus,trike,quad bike,lorry,trailer,motorhome,tractor,buggy,moped,roadster,compact,crossover,campervan,tipper,caravan,cruiser,tourer,limousine,ambulance,tow truck,forklift,kart,saloon,supermini,box van,dirt bike",
        "thousand miles,doors,cc,valves,power steering,air conditioning,electric windows,central locking,alarm,alloy wheels,abs,airbags,leather seats,sunroof,automatic gearbox,manual gearbox,turbo,hybrid,petrol,diesel,all-wheel drive,tow bar,roof rack,stereo,parking sensors,reversing camera,cruise control,fog lights,road tax,inspected,new tyres,full service history,spare key,logbook,plate,armoured,lpg,trip computer,crew cab,cargo bed",
        "one owner,nearly new,used,brand new,part exchange,on finance,with warranty,trade sale,below book,no accidents,private seller,for collectors,low deposit,consigned,for spares",
        "cars,bikes,vehicles,used,stock,inventory,trucks,autos,vans,showroom,forecourt,classics,dealers,nearly-new,motors",
    ),
    "jobs": (
        "salesperson,analyst,driver,receptionist,technician,nurse,programmer,cook,waiter,porter,assistant,stocker,cashier,welder,electrician,bricklayer,accountant,secretary,lawyer,engineer,teacher,supervisor,manager,operator,mechanic,seamstress,baker,butcher,guard,cleaner,pharmacist,dentist,physiotherapist,psychologist,designer,copywriter,machinist,storekeeper,buyer,intern",
        "travel allowance,meal vouchers,health plan,dental plan,base salary,commission,hours a week,night shift,day shift,rota,permanent contract,high school,degree,experience,years of experience,fluent french,driving licence,full time,part time,remote,on site,overtime,annual bonus,profit share,life insurance,childcare,uniform,canteen,training,entry level,travel,own car,apprenticeship,immediate start,pension,paid holidays,references,team player,flexible hours,background check",
        "vacancy for,hiring,wanted,opening for,now recruiting,position of,join us as,apply as,temporary,permanent,opportunity for,urgent,we seek,career as,role of",
        "jobs,vacancies,careers,openings,internships,work,positions,recruitment,opportunities,hiring,roles,graduates,temps,freelance,talent",
    ),
    "recipes": (
        "cake,pie,soup,stew,curry,pudding,salad,lasagne,risotto,casserole,stroganoff,gnocchi,shepherd's pie,pancakes,quiche,brownie,mousse,trifle,biscuits,scones,bread,chowder,dumplings,tart,couscous,stuffing,porridge,muffins,mash,omelette,souffle,roast,broth,jam,ice cream,smoothie,fritters,pasty,kebab,crumble",
        "tablespoons,cups,grams,minutes in the oven,servings,easy,quick,gluten free,dairy free,vegan,vegetarian,wholemeal,light,creamy,crunchy,stuffed,baked,grilled,slow cooked,pressure cooker,blender,with icing,with gravy,spicy,sweet and sour,for christmas,for parties,grandmother's,microwave,frozen,egg free,low carb,zest,grated,sifted,simmered,yeast,pinch,method,preheated",
        "recipe for,how to make,learn,step by step,the secret of,the best,prepare,dessert,main course,starter,snack,for dinner,lunch,serves,delicious",
        "recipes,sweets,savoury,pasta,desserts,drinks,meat,poultry,fish,snacks,soups,breads,salads,sauces,parties",
    ),
    "goods": (
        "laptop,phone,camera,headphones,monitor,printer,keyboard,television,router,tablet,watch,projector,speaker,console,fridge,cooker,microwave oven,blender set,coffee maker,vacuum cleaner,fan,drill,screwdriver,bicycle,treadmill,tent,backpack,trainers,jacket,dress,handbag,glasses,perfume,toy,doll,pushchair,guitar,digital piano,drone,shaver",
        "inch,gigabytes,megapixels,volts,watts,wireless,bluetooth,rechargeable,waterproof,portable,high definition,touch screen,genuine,sealed,invoice,manufacturer warranty,dual voltage,litres,stainless steel,silent,compatible,cable included,long battery,charger,memory,processor,resolution,one size,cotton,faux leather,unisex,children's,imported,refurbished,limited edition,assorted colours,kit,pieces,free delivery,in stock",
        "on offer,deal,in instalments,cash price,discounted,new arrival,best seller,clearance,stock sale,buy now,two for one,coupon,boxed,outlet price,today only",
        "electronics,offers,products,fashion,computing,appliances,phones,catalogue,sports,toys,beauty,tools,departments,outlet,new-in",
    ),
    "furniture": (
        "sofa,table,chair,bookcase,bed,mattress,wardrobe,chest of drawers,bedside table,armchair,sideboard,dresser,desk,tv stand,panel,rug,curtain,lamp,bedside lamp,mirror,stool,cot,bunk bed,display cabinet,headboard,pouffe,shoe rack,dressing table,cupboard,shelf,worktop,vanity unit,blind,cushion,picture,vase,chandelier,counter,trunk,chaise",
        "for bedrooms,for bathrooms,for the balcony,for apartments,for the house,for the garden,for the living room,fitted kitchen,for the garage,for the shop,for the office,with drawers,with doors,seater,extending,reclining,double,single,solid wood,laminate,lacquered,velvet,linen,leather,tempered glass,tapered legs,made to measure,folding,on castors,upholstered,rustic,vintage,industrial,flat pack,assembly included,patio,walk-in wardrobe,fireplace,utility room,conservatory",
        "on offer,made to order,in stock,in instalments,discounted,clearance,new,factory direct,free delivery,used,restored,new arrival,ex display,for sale,set",
        "furniture,living-room,bedroom,kitchen,garden,office,decor,mattresses,kids,lighting,houses,apartments,patio,bespoke,rooms",
    ),
}  # fmt: skip

MISSES = {
    "news": (
        "{kind} with {feature} reaches {price} in {town}",
        "Price of a {kind} rises past {price}, survey says",
        "{kind} {deal}: market expects {price} by the end of the year",
        "Loans for a {kind} capped at {price}, down from {more}",
    ),
    "notary": (
        "Registering a {kind}: fees from {price} to {more}",
        "Title search for a {kind} with {feature}: {price}",
        "Papers for a {kind} {deal}: duty of {price}",
        "Recording {feature} on a {kind}, costs of {price}",
    ),
    "homes": (
        "How to renovate a {kind} with {feature} for {price}",
        "Ideas for {feature} in a small {kind}, from {price} to {more}",
        "We visit a {kind} in {town}: {feature} and a makeover of {price}",
        "Before and after: a {kind} with {feature} for {price}",
    ),
}  # fmt: skip
