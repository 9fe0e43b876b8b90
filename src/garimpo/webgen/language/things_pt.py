"""What Portuguese sites list, entity by entity: kinds, features, deals, and names of sections. A world speaks a third of them."""

THINGS = {
    "re": (
        "apartamento,casa,cobertura,terreno,sala comercial,kitnet,sobrado,flat,loja,galpão,chácara,sítio,fazenda,duplex,loft,bangalô,chalé,edícula,mansão,estúdio,lote,prédio,andar corrido,vila,rancho,barracão,ponto comercial,conjunto,armazém,triplex,casa geminada,casa de praia,casa de campo,área industrial,hotel,pousada,haras,salão,gleba,box",
        "quartos,suítes,dormitórios,vagas,banheiros,varanda,sacada,churrasqueira,piscina,elevador,portaria,lavabo,closet,despensa,área de serviço,quintal,jardim,garagem,playground,salão de festas,academia,sauna,mezanino,sótão,lareira,cerca elétrica,armários embutidos,cozinha americana,piso frio,vista livre,andar alto,sol da manhã,m² de área,m² de terreno,m² úteis,dependência,escritura,condomínio fechado,poço artesiano,energia solar",
        "à venda,para alugar,aluga-se,vende-se,para locação,na planta,aceita permuta,financia,pronto para morar,para temporada,por temporada,em leilão,direto com o proprietário,aluguel sem fiador,em construção",
        "venda,aluguel,imoveis,lancamentos,temporada,locacao,apartamentos,casas,terrenos,coberturas,salas,chacaras,empreendimentos,disponiveis,residencial,comercial,rurais,plantao",
    ),
    "cars": (
        "sedã,hatch,picape,utilitário,moto,perua,conversível,van,furgão,caminhão,scooter,jipe,cupê,minivan,ônibus,micro-ônibus,triciclo,quadriciclo,caminhonete,carreta,reboque,motorhome,trator,buggy,ciclomotor,esportivo,compacto,crossover,cavalo mecânico,baú,basculante,trailer,custom,trail,naked,limusine,ambulância,guincho,empilhadeira,kart",
        "mil km,portas,cilindradas,válvulas,direção hidráulica,ar-condicionado,vidros elétricos,travas elétricas,alarme,rodas de liga,freios abs,airbag,banco de couro,teto solar,câmbio automático,câmbio manual,turbo,flex,gasolina,diesel,tração integral,engate,rack,som original,sensor de ré,câmera de ré,piloto automático,farol de neblina,ipva pago,licenciado,pneus novos,revisões em dia,chave reserva,manual do proprietário,placa final,blindado,kit gás,computador de bordo,cabine dupla,caçamba",
        "único dono,seminovo,usado,zero km,aceita troca,financiado,com garantia,repasse,abaixo da tabela,sem batida,de particular,para colecionador,com entrada,em consignação,para retirada de peças",
        "carros,motos,veiculos,usados,seminovos,estoque,caminhoes,automoveis,utilitarios,novos,patio,nauticos,concessionaria,classicos,vitrine",
    ),
    "jobs": (
        "vendedor,analista,motorista,recepcionista,técnico,enfermeiro,programador,cozinheiro,garçom,porteiro,auxiliar,estoquista,caixa,soldador,eletricista,pedreiro,contador,secretária,advogado,engenheiro,professor,supervisor,gerente,operador,mecânico,costureira,padeiro,açougueiro,vigilante,faxineira,farmacêutico,dentista,fisioterapeuta,psicólogo,designer,redator,torneiro,almoxarife,comprador,estagiário",
        "vale-transporte,vale-refeição,plano de saúde,plano odontológico,salário fixo,comissão,horas semanais,turno da noite,turno da manhã,escala,carteira assinada,ensino médio,ensino superior,experiência,anos de experiência,inglês fluente,cnh,período integral,meio período,home office,presencial,banco de horas,cesta básica,bônus anual,participação nos lucros,seguro de vida,auxílio creche,uniforme,refeitório,fretado,adicional noturno,hora extra,treinamento,primeiro emprego,pessoa com deficiência,disponibilidade,viagens,veículo próprio,curso técnico,início imediato",
        "vaga de,contrata-se,admite-se,oportunidade para,precisa-se de,seleção de,recrutamento de,processo seletivo,trabalhe como,vaga temporária,vaga efetiva,concurso para,buscamos,emprego de,vaga urgente",
        "empregos,vagas,oportunidades,carreiras,estagios,trabalho,concursos,contratacoes,servicos,recrutamento,curriculos,processos,efetivos,temporarios,freelancers",
    ),
    "recipes": (
        "bolo,torta,sopa,feijoada,moqueca,pudim,salada,lasanha,risoto,empadão,estrogonofe,nhoque,escondidinho,panqueca,quiche,brigadeiro,mousse,pavê,biscoito,rosca,pão,vatapá,acarajé,caruru,cuscuz,farofa,canjica,curau,purê,omelete,suflê,ensopado,assado,bobó,caldo,geleia,sorvete,vitamina,bolinho,pastel",
        "colheres,xícaras,gramas,minutos de forno,porções,fácil,rápido,sem glúten,sem lactose,vegano,vegetariano,integral,light,cremoso,crocante,recheado,gratinado,assado na brasa,ao forno,na panela de pressão,de liquidificador,com calda,com cobertura,grelhado,apimentado,agridoce,para o natal,para festa,da avó,de micro-ondas,congelado,sem ovo,low carb,com raspas,ralado,peneirado,em banho-maria,fermento,pitada,modo de preparo",
        "receita de,como fazer,aprenda,passo a passo de,segredo do,o melhor,prepare,sobremesa,prato principal,entrada,lanche,para o jantar,almoço,rende,delicioso",
        "receitas,doces,salgados,massas,sobremesas,bebidas,carnes,aves,peixes,lanches,sopas,paes,saladas,molhos,festas",
    ),
    "goods": (
        "notebook,celular,câmera,fone,monitor,impressora,teclado,televisor,roteador,tablet,relógio,projetor,caixa de som,videogame,geladeira,fogão,micro-ondas,liquidificador,cafeteira,aspirador,ventilador,furadeira,parafusadeira,bicicleta,esteira,barraca,mochila,tênis,jaqueta,vestido,bolsa,óculos,perfume,brinquedo,boneca,carrinho de bebê,violão,teclado musical,drone,barbeador",
        "polegadas,gigas,megapixels,volts,watts,sem fio,bluetooth,recarregável,à prova d'água,portátil,alta definição,tela sensível,original,lacrado,nota fiscal,garantia do fabricante,bivolt,litros,inox,silencioso,compatível,cabo incluso,bateria longa,carregador,memória,processador,resolução,tamanho único,algodão,couro sintético,unissex,infantil,importado,reembalado,edição limitada,cores variadas,kit,peças,frete grátis,pronta entrega",
        "em oferta,promoção,em até dez vezes,no boleto,com desconto,lançamento,mais vendido,liquidação,queima de estoque,compre,leve dois,cupom,novo na caixa,outlet,só hoje",
        "eletronicos,ofertas,produtos,moda,informatica,eletrodomesticos,celulares,catalogo,esportes,brinquedos,beleza,ferramentas,departamentos,outlet,novidades",
    ),
    "furniture": (
        "sofá,mesa,cadeira,estante,cama,colchão,guarda-roupa,cômoda,criado-mudo,poltrona,aparador,buffet,escrivaninha,rack,painel,tapete,cortina,luminária,abajur,espelho,banqueta,berço,beliche,cristaleira,cabeceira,puff,sapateira,penteadeira,armário,prateleira,bancada,gabinete,persiana,almofada,quadro,vaso,lustre,balcão,baú,divã",
        "para quartos,para suítes,para varanda,para apartamento,para casa,de jardim,para sala,para cozinha,para banheiros,para loja,para escritório,com gavetas,com portas,lugares,retrátil,reclinável,de casal,de solteiro,madeira maciça,mdf,laqueado,veludo,linho,couro,vidro temperado,pés palito,planejado,dobrável,com rodízios,estofado,rústico,provençal,industrial,sob medida,montagem inclusa,churrasqueira,piscina,closet,lavabo,home office",
        "em oferta,sob encomenda,pronta entrega,em até dez vezes,com desconto,liquidação,novo,direto da fábrica,com frete,usado,restaurado,lançamento,mostruário,à venda,kit",
        "moveis,sala,quarto,cozinha,jardim,escritorio,decoracao,colchoes,infantil,iluminacao,casas,apartamentos,varanda,planejados,ambientes",
    ),
}  # fmt: skip

MISSES = {
    "news": (
        "{kind} com {feature} chega a {price} em {town}",
        "Preço de {kind} sobe e passa de {price}, diz pesquisa",
        "{kind} {deal}: mercado espera {price} até o fim do ano",
        "Crédito para {kind} tem teto de {price}, e não mais {more}",
    ),
    "notary": (
        "Registro de {kind}: emolumentos de {price} a {more}",
        "Certidão de {kind} com {feature}: {price}",
        "Documentos para {kind} {deal}: taxa de {price}",
        "Averbação de {feature} em {kind}, custas de {price}",
    ),
    "homes": (
        "Como reformar {kind} com {feature} gastando {price}",
        "Ideias para {feature} em {kind} pequeno, de {price} a {more}",
        "Visitamos {kind} em {town}: {feature} e reforma de {price}",
        "Antes e depois: {kind} com {feature} por {price}",
    ),
}  # fmt: skip
