"""Portuguese words, topic by topic: nouns with their article, adjectives of one form, verbs, and what only this topic says."""

GENERAL_NOUNS = """o ano,o dia,a semana,o mês,a cidade,o grupo,o relatório,o plano,a pergunta,a resposta,o motivo,o resultado,a história,
a ideia,a mudança,o problema,o método,o exemplo,a parte,a lista,o número,o nome,o lugar,o trabalho,o tempo,o caso,o estudo,a visita,o projeto,
o futuro,o evento,a reunião,o visitante,o leitor,a escritora,o membro,a amiga,o vizinho,o mercado,o preço,o apoio,o serviço,o guia,a nota,
a foto,o mapa,a carta,a comunidade,a região,a manhã,a noite,o inverno,o verão""".replace("\n", "").split(",")

GENERAL_ADJECTIVES = """grande recente local simples forte importante útil popular diferente especial final jovem comum possível
interessante excelente atual principal""".split()

GENERAL_VERBS = """mostra mantém traz segue explica oferece encontra faz muda descreve apoia alcança deixa leva abre divide prepara melhora
compara precisa""".split()

LINKING = """no fim das contas|durante muitos anos|nos últimos meses|sem dúvida alguma|como sempre|mais uma vez|por outro lado|perto do litoral|
desde a primavera|ao mesmo tempo|com muito cuidado|pela primeira vez|segundo as notas|depois de longa conversa|antes do fim de semana|
durante as férias|como sabem os leitores|na maioria dos casos|passo a passo|à beira do rio|longe do centro""".replace(
    "\n", ""
).split("|")

SHAPES = (
    "{n} {v} {n}.",
    "{n} {v} {n} {p}.",
    "{l}, {n} {v} {n}.",
    "{n} e {n} têm papel {a} {p}.",
    "{l}, {n} {v} {n} e {v} {n}.",
    "{n} {p} {v} {n}.",
    "saber como {n} {v} {n} é uma questão {a}.",
    "{x} disse que {n} {v} {n}.",
    "com {n}, {n} {v} {n} {p}.",
    "{x} escreveu sobre {n} e {n}.",
    "não há nada mais {a} sem {n}.",
    "{n} é mais {a} do que {n} {p}.",
)

TOPICS = {
    "astronomy": (
        "o telescópio,a galáxia,o planeta,o cometa,a órbita,a nebulosa,o eclipse,o asteroide,o observatório,a lente,a estrela,a cratera,a supernova,a lua,o satélite,o espectro,o meteoro,a constelação,a gravidade,o quasar,a poeira,o anel,o pulsar,o espelho,o trânsito,o céu",
        "distante brilhante celeste estelar lunar solar espiral gravitacional orbital visível",
        "orbita observa reflete ilumina mede atrai eclipsa amplia gira colapsa",
        "a anos-luz daqui|acima do horizonte|além dos planetas externos|em torno de uma anã vermelha|por uma lente larga|na magnitude seis",
    ),
    "football": (
        "o gol,o atacante,o goleiro,o árbitro,o campeonato,o clássico,o pênalti,o técnico,o estádio,o meia,o zagueiro,o escanteio,o impedimento,a contratação,o elenco,a rodada,a taça,a torcida,o apito,a cabeçada,o desarme,o reserva,o gramado,o capitão,o travessão,o drible,o rebaixamento,a partida",
        "ofensivo invicto titular decisivo visitante veloz lateral artilheiro suplente rival",
        "marca defende desarma dribla substitui empata passa rebaixa comemora cabeceia",
        "na prorrogação|na marca do pênalti|no segundo tempo|na segunda trave|antes do clássico|no banco de reservas",
    ),
    "cooking": (
        "o forno,a massa,o alho,a cebola,a manteiga,a farinha,o molho,a receita,a panela,a pimenta,a azeitona,o queijo,o caldo,a canela,a colher,a sobremesa,a salada,o fermento,o creme,o manjericão,o recheio,a crosta,o tempero,o limão,o ensopado,a torta,o açúcar,o feijão",
        "crocante macio salgado doce tostado frito cremoso picante suave quente",
        "cozinha assa tempera mexe sova refoga rala pica derrete engrossa",
        "em fogo baixo|por vinte minutos|com uma pitada de sal|em panela funda|até dourar|com ervas frescas",
    ),
    "medicine": (
        "o paciente,a vacina,a enfermeira,o cirurgião,o sintoma,o diagnóstico,a clínica,a febre,o anticorpo,a dose,a terapia,o vírus,o hospital,a artéria,a insulina,o tumor,a bula,a infecção,a alergia,o osso,o coração,o rim,a enfermaria,o ensaio,a epidemia,a injeção,a anestesia,o comprimido",
        "viral hospitalar grave cardíaco imune infeccioso agudo arterial renal ambulatorial",
        "trata diagnostica infecta vacina receita cura inflama opera alivia monitora",
        "sob supervisão médica|duas vezes ao dia|depois da cirurgia|no pronto-socorro|com sintomas leves|sem receita médica",
    ),
    "finance": (
        "o título,a ação,o dividendo,a inflação,a corretora,o empréstimo,a hipoteca,o juro,o banco,o depósito,a carteira,a moeda,o auditor,o imposto,o orçamento,o índice,o rendimento,o credor,o ativo,o passivo,o câmbio,a dívida,o seguro,a previdência,a liquidez,o trimestre,a bolsa,o lucro",
        "fiscal anual volátil rentável contábil cambial trimestral tributável tarifário bancário",
        "investe empresta financia audita negocia desvaloriza segura rende refinancia aplica",
        "a taxa fixa|no terceiro trimestre|na bolsa de valores|acima da previsão|antes dos impostos|por ação",
    ),
    "travel": (
        "o hotel,a praia,o passaporte,a bagagem,o aeroporto,o roteiro,o albergue,a ilha,o cruzeiro,o visto,o turista,o museu,a mochila,a passagem,a suíte,a lembrança,o porto,a lagoa,a trilha,o camping,a balsa,o deserto,a cachoeira,o cartão-postal,a excursão,a pousada,a catedral,o terminal",
        "tropical litorâneo turístico agradável exuberante selvagem noturno hospitaleiro insular rural",
        "viaja reserva embarca explora desembarca chega passeia visita pousa navega",
        "à beira-mar|na alta temporada|com café da manhã incluso|em passeio guiado|além da fronteira|fora do roteiro comum",
    ),
    "gardening": (
        "a muda,o adubo,a rosa,a tulipa,a poda,a estufa,o gramado,a cerca viva,a orquídea,o solo,o fertilizante,a rega,o bulbo,a pá,a palha,o arbusto,a erva daninha,o pólen,a raiz,a flor,o vaso,o ancinho,o tomateiro,a samambaia,a lavanda,a lesma,o canteiro,a semente",
        "perene florido sombreado fértil orgânico úmido frondoso espinhoso ornamental silvestre",
        "poda rega planta floresce brota aduba capina transplanta murcha cultiva",
        "a pleno sol|em solo bem drenado|depois da última geada|ao longo da cerca|em vasos de barro|com bastante adubo",
    ),
    "music": (
        "o violão,o acorde,a melodia,o álbum,o baterista,a orquestra,o violino,o ensaio,a letra,o concerto,o piano,o ritmo,a cantora,o compositor,o coral,o trompete,a sinfonia,o refrão,o baixo,o compasso,a harmonia,o vinil,a sonata,o festival,o microfone,o amplificador,o quarteto,o samba",
        "acústico melódico barroco rítmico orquestral elétrico vocal afinado instrumental sonoro",
        "canta toca compõe afina grava ensaia improvisa dedilha rege interpreta",
        "em tom menor|no segundo álbum|em andamento lento|diante do coral|no violão acústico|durante o solo",
    ),
    "politics": (
        "a eleição,o senador,o parlamento,a urna,o ministro,a campanha,a coligação,a reforma,o candidato,o decreto,o eleitor,a constituição,o partido,o plebiscito,o governador,o tratado,o deputado,a oposição,o gabinete,a bancada,o mandato,a presidenta,o debate,a legislação,a embaixada,o prefeito,a câmara,a petição",
        "federal eleitoral partidário diplomático municipal liberal conservador parlamentar bilateral estadual",
        "vota elege governa debate veta legisla discursa negocia renuncia nomeia",
        "no senado|por pequena maioria|antes do segundo turno|nas pesquisas|com apoio da oposição|pelo novo decreto",
    ),
    "computing": (
        "o compilador,o servidor,o núcleo,o banco de dados,a linha de execução,o ponteiro,o navegador,a rede,o pacote,o algoritmo,a memória cache,o roteador,o registrador,o módulo,o firmware,o processador,o protocolo,a falha,a biblioteca,a função,o soquete,a consulta,o script,o interpretador,o notebook,a cópia de segurança,o código,o teclado",
        "recursivo distribuído criptografado compilado assíncrono binário embarcado virtual paralelo obsoleto",
        "compila executa armazena criptografa depura analisa aloca instala trava sincroniza",
        "em tempo linear|na linha de comando|atrás do firewall|com software livre|em tempo de execução|na última versão",
    ),
    "cinema": (
        "o diretor,a atriz,o roteiro,a cena,a estreia,a câmera,a sequência,o trailer,o ator,a trilha sonora,o estúdio,a plateia,a montagem,o figurino,o documentário,a tela,o rolo,a produtora,o diálogo,o suspense,a comédia,o drama,a animação,a matinê,a crítica,o elenco,o cineasta,a bilheteria",
        "cinematográfico dramático animado mudo cômico premiado independente teatral narrativo nacional",
        "filma dirige estrela estreia monta exibe atua dubla narra roteiriza",
        "na tela grande|em preto e branco|no festival|na cena de abertura|com elenco brilhante|atrás das câmeras",
    ),
    "history": (
        "o império,o rei,a batalha,o manuscrito,a fortaleza,a dinastia,o arqueólogo,o século,o monarca,a cruzada,a colônia,a revolução,o cerco,o pergaminho,o camponês,o túmulo,a legião,o trono,o artefato,o cavaleiro,o feudalismo,a peste,o mosteiro,a crônica,a escavação,a escravidão,a conquista,o engenho",
        "medieval antigo imperial colonial feudal real revolucionário arqueológico ancestral monárquico",
        "conquista reina sitia escava abdica coloniza rebela invade herda coroa",
        "no século doze|durante o cerco|sob o antigo regime|na corte real|depois da revolução|nas crônicas antigas",
    ),
    "motoring": (
        "o motor,o câmbio,a embreagem,o pneu,o pistão,o diesel,o torque,o freio,o para-choque,o sedã,o escapamento,o carburador,a direção,o eixo,a quilometragem,o painel,o farol,o turbo,o chassi,a motocicleta,o combustível,a vela,o radiador,a suspensão,o hatch,a oficina,o mecânico,o conversível",
        "híbrido automático turbinado seminovo traseiro aerodinâmico manual flex econômico esportivo",
        "acelera freia ultrapassa dirige abastece superaquece derrapa reboca engata estaciona",
        "com baixa quilometragem|em alta rotação|em primeira marcha|no asfalto molhado|de único dono|sob o capô",
    ),
    "education": (
        "a professora,o aluno,a sala de aula,a tarefa,a prova,o currículo,a universidade,a palestra,a bolsa de estudos,o diploma,o livro didático,o semestre,o tutor,a matrícula,o campus,a dissertação,o jardim de infância,a ementa,a nota,a alfabetização,o catedrático,o seminário,o quadro-negro,a tese,a estudante,a faculdade,o vestibular,a escola",
        "acadêmico pedagógico bilíngue obrigatório escolar universitário letivo inclusivo docente estudantil",
        "ensina matricula forma leciona estuda examina orienta aprende avalia pesquisa",
        "no fim do semestre|na prova final|com bolsa integral|no ensino fundamental|no campus|antes da formatura",
    ),
    "sailing": (
        "o veleiro,o leme,o mastro,a regata,a âncora,a quilha,a vela,o timoneiro,a boia,a maré,a enseada,o casco,o convés,o cordame,o balão,o cabrestante,o nó,a bússola,a bujarrona,a amarra,o bote,a marina,a tripulação,o farol,a rajada,o catamarã,a proa,a popa",
        "náutico naval costeiro salgado marítimo inflável calmo ventoso velejável oceânico",
        "veleja ancora cambia atraca emborca navega iça deriva rema aporta",
        "ao largo do cabo|contra a maré|com todas as velas|na marina|a doze nós|antes da rajada",
    ),
    "housing": (
        "o apartamento,o proprietário,o inquilino,a hipoteca,o quarto,a cozinha,a varanda,o aluguel,o contrato,o condomínio,a imobiliária,a garagem,o terreno,o bairro,a caução,a escritura,o elevador,o telhado,o porão,a mobília,a reforma,a arquiteta,o tijolo,o terraço,a locação,a corretora,a vistoria,o corredor",
        "mobiliado espaçoso residencial geminado alugado ensolarado reformado central vago habitável",
        "aluga vende mobilia reforma loca constrói avalia financia muda pinta",
        "perto do metrô|com duas vagas|no último andar|em rua tranquila|com vista para o mar|pronto para morar",
    ),
}
