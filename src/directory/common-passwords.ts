/**
 * Passwords that open most doors: those that published lists of leaked passwords agree on, of eight characters and
 * more, in lower case. They are tried first by everybody who guesses, so nobody may have one.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  123456789 12345678 1234567890 123123123 987654321 11111111 00000000 88888888 1111111111 0000000000 147258369
  789456123 0123456789 0987654321 9876543210 12341234 12344321 11223344 1122334455 1234554321 123454321 123321123
  123123456 123456123 123456654321 123456123456 123456987 1234567891 12345678910 123456789123 1234567890123 12345679
  1234512345 1234567899 112233445566 111222333 111111111 22222222 33333333 55555555 66666666 77777777 99999999
  999999999 000000000 5555555555 147852369 147896325 741852963 963852741 963258741 321654987 123654789 123789456
  159357456 369258147 456456456 321321321 135792468 1357924680 192837465 1029384756 7894561230 456789123 789654123
  789632145 987456321 134679852 134679258 123698745 123698741 14789632 12369874 12345600 12301230 10101010 12121212
  21212121 69696969 11112222 13131313 20082008 20102010 31415926 314159265 3141592653 3141592654 299792458 1123581321
  11235813 8008208820 4815162342 87654321 98765432 01234567 19841984 19851985 19861986 19871987 19801980 19821982
  19891989 19921992 19951995 19901990 20002000 12345678900 100200300 110110110 110120119 119110120 520520520 521521521
  5201314520 5201314521 13145200 1314520520 5845201314 5845211314 password password1 password2 password3 password4
  password5 password7 password8 password9 password00 password01 password10 password11 password12 password13 password99
  password123 password1234 password12345 password123456 password! password1! password. password@123 passw0rd passw0rd1
  passw0rd! p@ssw0rd p@ssw0rd1 p@ssw0rd! p@ssw0rd123 p@ssword p@ssword1 p@$$w0rd pa55word pa$$word pa$$w0rd pass1234
  pass12345 passpass password0 passwort passwort1 passwort123 motdepasse contraseña wachtwoord wachtwoord1 salasana
  parola123 mypassword 1password thepassword nopassword drowssap yourpassword newpassword qwertyui qwertyuiop qwerty12
  qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty01 qwerty11 qwerty22 qwertyqwerty qwertyu1 qwertz123 qwertzuiop
  azerty123 azertyuiop qwert123 qwert1234 qwert12345 qwerasdf qwerasdfzxcv qwertyasdf qwerty123! qwerty1! qwertyuiop[]
  1qwerty1 12345qwert 12345qwerty 123456qwerty 1234qwer 1234qwerty 123qwe123 123qweasd 123qweasdzxc 123qwerty qwer1234
  qwer12345 qwe12345 qwe123456 qweasd123 qweasdzxc qweasdzxc123 qweqweqwe qwe123qwe 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
  1q2w3e4r! 1q2w3e4r5 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx 1qaz2wsx3edc 1qaz@wsx 1qaz1qaz 1qazxsw2 !qaz2wsx
  1qaz!qaz zaq12wsx zaq1xsw2 zaq1zaq1 zag12wsx qazwsxedc qazwsx12 qazwsx123 qazwsx1234 qazwsxedcrfv qaz12345 qaz123456
  qazqazqaz qaz123wsx 12qwaszx 1g2w3e4r gwerty123 asdfghjk asdfghjkl asdfghjkl1 asdfghjkl; asdfghjkl123 asdfasdf
  asdfasdf1 asdf1234 asdf12345 asdf123456 asdfqwer asdfjkl; asdasdasd asdasd123 asd12345 asd123456 asd123asd asdqwe123
  asd123123 a1s2d3f4 a1s2d3f4g5 zxcvbnm1 zxcvbnm12 zxcvbnm123 zxcvbnm, zxcvbnm,./ zxcvasdf zxcv1234 zxc12345 zxc123456
  zxcasdqwe zxczxczxc poiuytrewq poiuytre mnbvcxz1 mnbvcxz123 lkjhgfdsa 0okm9ijn adgjmptw plokijuh a1234567 a12345678
  a123456789 aa123456 aa12345678 aa123456789 aaa12345 aaa123456 aaaa1111 aaaaaaaa aaaaaaaaa aaaaaaaaaa aa123123
  aa112233 a1b2c3d4 a1b2c3d4e5 1a2b3c4d 1a2b3c4d5e abc12345 abc123456 abc1234567 abc12345678 abc123456789 abc123abc
  abc123123 abcd1234 abcd12345 abcd123456 abcd1234! abcde123 abcde12345 abcdef12 abcdef123 abcdefgh abcdefg1
  abcdefg123 abcdefghi abcdefghij abcabc123 abcd@1234 abc@1234 abc123!@# 1234abcd 12345abc 12345abcd 123456abc
  123456ab 123456789abc 123abc123 123456aa 123456aaa 123456qw 123456qwe 123456as 123456asd 123456zx 123456zxc
  123456qaz 123456ok 123456qq 123456789a 123456789q 123456789z 123456789s 123456789m 123456789qq 123456789. 12345678a
  12345678q 1234567a 12345678! 123456!@ 1234asdf 123asd123 123456a@ 12345aaa zzzzzzzz qqqqqqqq xxxxxxxx qqww1122
  qq123456 qq123456789 qq123123 qq111111 qq1314520 qq5201314 qw123456 w123456789 z123456789 q123456789 q12345678
  wang123456 zhang123 huang123 liu123456 zx123456 as123456 zz123456 ab123456 ww123456 wz112233 www12345 www123456
  hao123456 li123456 yang1234 !qaz@wsx !qaz1qaz !@#$%^&* !@#$%^&*() !@#$1234 1234!@#$ 123!@#qwe qwe123!@# qwe!@#123
  1qaz@wsx3edc woaini1314 woaini123 woaini520 woaini521 woaiwojia woaini5201314 woailaopo woaimama woaiwoziji wodemima
  wodemima123 woshishui wobuzhidao wojiushiwo woxiangni wozhiaini buzhidao meiyoumima nihao123 nihaoma123 aini1314
  a5201314 5201314a aa5201314 q5201314 7758521a a7758521 77585210 77585211314 7708801314520 25257758 5841314520
  5841314521 584131421 584131420 beijing2008 20080808 xiaoxiao xiaolong xiaoqiang xiaofeng xiaoming tiantian yangyang
  jingjing dongdong yuanyuan longlong chenchen shanshan mingming tingting jianjian huanhuan qianqian xingxing yingying
  mengmeng lingling liangliang zhangwei zhanglei zhangjian zhangjie wangwei1 wangyang wangjian wangjing zhimakaimen
  shanghai beijing123 jiushiaini laopo520 laopo521 zhendeaini nishizhu1 caonima123 woaizhongguo zhongguo china123
  china2008 aptx4869 nuttertools iloveyou iloveyou1 iloveyou2 iloveyou3 iloveyou12 iloveyou123 iloveyou! iloveyou.
  iloveyou7 iloveme1 iloveme2 iloveu22 ihateyou ihateyou1 loveyou1 loveyou2 loveyou12 loveyou123 1loveyou lovelove
  lovelove1 love1234 love12345 love123456 love4ever loveme12 lovers12 lovely12 loverboy loverboy1 truelove onelove1
  mylove12 iloveyouu iloveher iloveyouso iloveyousomuch iloveu123 imissyou foreverlove forever1 forever21 sexybitch
  sexybitch1 fuckyou1 fuckyou2 fuckyou! fuckyou12 fuckyou123 fuckoff1 princess princess1 princess2 princess12
  princess123 babygirl babygirl1 babygirl2 babygirl12 babygirl123 babydoll babyboy1 beautiful beautiful1 sunshine
  sunshine1 sunshine2 sunshine12 sunshine123 butterfly butterfly1 sweetheart sweetheart1 sweetie1 sweetpea sweetpea1
  cutiepie cutiepie1 tinkerbell tinkerbell1 hellokitty hellokitty1 rockstar rockstar1 superstar superstar1 football
  football1 football2 football12 football10 football123 baseball baseball1 baseball12 baseball123 basketball
  basketball1 softball softball1 volleyball swimming fishing1 hockey12 soccer12 soccer10 soccer11 soccer13 soccer123
  gymnastics cheerleader liverpool liverpool1 liverpool123 liverpoolfc arsenal1 arsenal123 chelsea1 chelsea123
  barcelona barcelona1 realmadrid realmadrid1 manchester manchester1 manutd123 juventus juventus1 ronaldo7 ronaldo123
  cristiano steelers steelers1 yankees1 cowboys1 raiders1 packers1 patriots lakers24 lebron23 kobe2408 jordan23
  jordan123 michaeljordan redskins broncos1 eagles123 superman superman1 superman12 superman123 batman123 spiderman
  spiderman1 spiderman123 starwars starwars1 starwars123 startrek pokemon1 pokemon12 pokemon123 pokemon1234 pikachu1
  naruto123 naruto12 dragonball dragonball1 dragonballz digimon1 inuyasha minecraft minecraft1 minecraft123 warcraft
  runescape runescape1 fortnite fortnite1 fortnite123 roblox123 nintendo nintendo1 playstation xbox360live callofduty
  counterstrike assassin assassin1 finalfantasy undertaker stonecold johncena johncena1 metallica metallica1 slipknot
  slipknot1 linkinpark linkinpark1 ironmaiden greenday1 nirvana1 blink182 blink182a rammstein tokiohotel ledzeppelin
  pinkfloyd rollingstones harrypotter harrypotter1 gryffindor hogwarts twilight twilight1 terminator spongebob
  spongebob1 scoobydoo scooby123 garfield mickeymouse mickey123 hannahmontana scarface scarface1 godfather michelle
  michelle1 jennifer jennifer1 jessica1 jessica123 samantha samantha1 elizabeth elizabeth1 stephanie stephanie1
  victoria victoria1 danielle danielle1 nicole123 ashley123 amanda123 brittany brittany1 christina christina1
  christine christine1 catherine katherine kimberly kimberly1 patricia alexandra alexandra1 angelina angelina1
  gabriela gabriella valentina isabella isabella1 isabelle florence caroline carolina francesca fernanda veronica
  veronica1 veronika vanessa1 svetlana ekaterina kristina margarita margaret rebecca1 rachel123 charlotte charlotte1
  jasmine1 jasmine123 hannah123 heather1 tiffany1 melissa1 melanie1 savannah savannah1 mackenzie brooklyn brooklyn1
  cheyenne elizabeth2 michael1 michael2 michael12 michael123 jonathan jonathan1 jonathan123 christian christian1
  christopher christopher1 alexander alexander1 alexander123 benjamin benjamin1 nicholas nicholas1 sebastian
  sebastian1 matthew1 matthew123 william1 william123 anthony1 anthony123 charlie1 charlie123 charles1 jackson1
  jackson5 jordan12 joshua123 joshua12 daniel123 daniel12 david123 andrew123 thomas123 robert123 richard1 patrick1
  stephen1 vladimir vladislav alessandro alejandro alejandro1 francisco francesco giovanni giuseppe leonardo leonardo1
  salvatore valentino santiago santiago1 emmanuel emmanuel1 mohammed mohammed1 muhammad muhammed abdullah maximilian
  frederic guillaume dominique maksimka whatever whatever1 whatever123 computer computer1 computer12 computer123
  internet internet1 internet123 trustno1 letmein1 letmein123 letmein! letmein2 welcome1 welcome12 welcome123
  welcome1! welcome@123 welcome01 welcome2 hello123 hello1234 hello12345 hellohello helloworld helloworld1 changeme
  changeme1 changeme123 changeit default1 default123 secret123 secret12 secret01 admin123 admin1234 admin12345
  admin123456 admin@123 admin@1234 admin123! adminadmin administrator administrator1 admin2020 admin2023 admin888
  admin666 adminpass adminpassword admin001 root1234 root12345 root123456 rootroot rootpassword toor1234 r00tr00t
  user1234 user12345 useruser username username1 test1234 test12345 test123456 testtest testtest1 testing1 testing123
  tester123 testpass testpassword test@123 guest123 guest1234 guestguest demo1234 demodemo temp1234 temppass temporary
  login123 loginlogin master123 master12 manager1 manager123 support1 support123 server123 service1 system123 sysadmin
  oracle123 mysql123 postgres postgres123 postgresql ubuntu123 linux123 windows1 windows10 windows7 microsoft
  google123 facebook facebook1 facebook123 linkedin linkedin1 twitter1 twitter123 youtube1 youtube123 instagram
  instagram1 myspace1 myspace123 friendster yahoo123 hotmail1 hotmail123 gmail123 samsung1 samsung123 nokia123
  motorola blackberry iphone123 logitech panasonic toshiba1 killer123 killer12 chocolate chocolate1 chocolate123
  strawberry strawberry1 blueberry cheesecake icecream icecream1 cupcake1 cookie123 cookies1 chicken1 chicken123
  banana123 bananas1 apple123 apple1234 orange12 orange123 purple12 purple123 yellow12 yellow123 green123 blue1234
  black123 white123 red12345 silver12 diamond1 diamond123 rainbow1 rainbow123 midnight midnight1 darkness lightning
  thunder1 thunder123 snowball snowball1 snowflake sunflower sunflower1 flowers1 flower123 dolphins dolphin1 elephant
  elephant1 monkey12 monkey123 monkey01 dragon12 dragon123 dragon01 tigger123 tigger12 tiger123 scorpion scorpion1
  panther1 bulldog1 bulldogs champion champion1 warrior1 warriors gangster gangster1 gangsta1 hardcore hardcore1
  blahblah blahblah1 poohbear poohbear1 teddybear teddybear1 snickers snickers1 skittles skittles1 peanut12 peanut123
  pepper12 pepper123 ginger12 ginger123 buster12 buster123 maggie12 maggie123 bailey12 bailey123 shadow12 shadow123
  shadow01 hunter12 hunter123 harley12 harley123 summer12 summer123 summer01 summer08 summer2020 summer2021 summer2022
  summer2023 summer2024 summer2025 winter12 winter123 winter2020 winter2021 winter2022 winter2023 winter2024
  winter2025 spring2020 spring2021 spring2022 spring2023 spring2024 spring2025 autumn2021 autumn2022 autumn2023
  autumn2024 september september1 november november1 december december1 february saturday thursday wednesday birthday
  birthday1 christmas christmas1 halloween valentine freedom1 freedom123 america1 america123 usa12345 american
  australia argentina brasil123 colombia colorado california california1 florida1 texas123 newyork1 newyork123
  chicago1 chicago123 lasvegas hollywood hollywood1 washington pakistan pakistan1 pakistan123 india123 indian123
  bangladesh indonesia indonesia1 malaysia singapore philippines portugal deutschland germany1 scotland ireland1
  slovakia schweiz1 amsterdam marseille mercedes mercedes1 ferrari1 porsche1 corvette mustang1 mustang123 kawasaki
  yamaha123 hondacivic chevrolet cadillac lamborghini harleydavidson volkswagen motocross paintball paintball1
  skateboard skateboarding jesus123 jesus777 jesuschrist jesus1234 godisgood godisgreat bismillah allah123 allahuakbar
  blessed1 blessing believe1 faith123 krishna1 sairam123 ganesha1 mamapapa mama1234 mommy123 daddy123 mother12
  mother123 family123 family12 friends1 friends2 friends123 bestfriend bestfriends children grandma1 boyfriend
  girlfriend tequiero teamo123 teamomucho estrella princesa princesa1 mariposa corazon1 angelito bonjour1 bonjour123
  soleil123 chouchou coucou123 doudou123 loulou123 jetaime1 schatz123 hallo123 hallo1234 sommer123 schalke04 bayern123
  passwort1234 ficken123 lol12345 lollipop lollipop1 asshole1 bitch123 bullshit bullshit1 jackass1 pussycat nothing1
  nothing123 something unknown1 undefined security security1 security123 access14 accessdenied monster1 monster123
  creative creative1 business engineer password321 hesoyam1 swordfish trinity1 matrix123 genesis1 phoenix1 phoenix123
  maverick maverick1 westside westside1 southside southside1 eastside1 airforce1 carpediem dreamer1 newlife1 happiness
  happiness1 happy123 happy1234 lucky123 lucky777 lucky13a goodluck goodluck1 success1 success123 sandiego blackcat
  blackjack jackpot1 casanova charmed1 precious precious1 serenity wildcats marlboro marlboro1 budweiser guinness
  capricorn sagittarius remember photography cocacola cocacola1 pepsi123 mountaindew redbull1 starbucks mcdonalds
  qwerty78 letmeinn monopoly1 test1test 1234567q 12345678k
`
    .trim()
    .split(/\s+/),
)
