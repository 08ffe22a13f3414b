import { dictionary } from '@zxcvbn-ts/language-common'

/** Common passwords in Chinese organisations that the published list lacks; eight characters and more, lower case. */
const more = `
  123123123 987654321 00000000 88888888 1111111111 0000000000 0123456789 0987654321 9876543210 12341234 123456123456
  1234567890123 1234512345 111111111 22222222 33333333 55555555 66666666 77777777 99999999 999999999 000000000
  5555555555 456456456 321321321 10101010 12121212 21212121 69696969 13131313 20082008 20102010 3141592653 8008208820
  87654321 98765432 01234567 19841984 19851985 19861986 19871987 19801980 19821982 19891989 19921992 19951995 19901990
  20002000 110110110 110120119 119110120 520520520 521521521 5201314520 5201314521 13145200 1314520520 5845201314
  5845211314 password12345 password123456 password1! password. password@123 passw0rd! p@ssw0rd1 p@ssw0rd! p@ssw0rd123
  p@ssword p@ssword1 p@$$w0rd pa$$word pass12345 passwort123 contraseña wachtwoord1 parola123 thepassword yourpassword
  qwertyqwerty qwertz123 qwertzuiop qwertyasdf qwerty123! qwerty1! qwertyuiop[] qwe12345 qweqweqwe 1q2w3e4r! 1qaz1qaz
  zaq1zaq1 zag12wsx qazqazqaz 1g2w3e4r gwerty123 asdfghjkl; asdf123456 asdasdasd asd123123 zxcvbnm, zxcvbnm,./
  zxczxczxc poiuytrewq poiuytre mnbvcxz123 lkjhgfdsa aa12345678 aaaaaaaa aaaaaaaaa aaaaaaaaaa aa112233 abc1234567
  abc12345678 abc123123 abcd1234! abcdefgh abcdefg123 abcdefghi abcdefghij abcabc123 abcd@1234 abc@1234 abc123!@#
  123456ok 12345678! 123456!@ 123456a@ 12345aaa zzzzzzzz qqqqqqqq xxxxxxxx qqww1122 qq111111 qq1314520 qq5201314
  w123456789 wang123456 zhang123 huang123 liu123456 ww123456 wz112233 www12345 www123456 hao123456 li123456 yang1234
  !qaz@wsx !qaz1qaz !@#$%^&* !@#$%^&*() !@#$1234 1234!@#$ 123!@#qwe qwe123!@# qwe!@#123 1qaz@wsx3edc woaini1314
  woaini123 woaini520 woaini521 woaiwojia woaini5201314 woailaopo woaimama woaiwoziji wodemima wodemima123 woshishui
  wobuzhidao wojiushiwo woxiangni wozhiaini buzhidao meiyoumima nihaoma123 aini1314 a5201314 5201314a aa5201314
  q5201314 7758521a a7758521 77585210 77585211314 7708801314520 25257758 5841314520 5841314521 584131421 584131420
  beijing2008 20080808 xiaoxiao xiaolong xiaoqiang xiaofeng xiaoming tiantian yangyang jingjing dongdong yuanyuan
  longlong chenchen shanshan mingming tingting jianjian huanhuan qianqian xingxing yingying mengmeng lingling
  liangliang zhangwei zhanglei zhangjian zhangjie wangwei1 wangyang wangjian wangjing zhimakaimen beijing123
  jiushiaini laopo520 laopo521 zhendeaini nishizhu1 caonima123 woaizhongguo china123 china2008 aptx4869 iloveyou3
  iloveyou. iloveyou7 iloveu22 loveyou12 loveyou123 lovelove1 love123456 lovers12 lovely12 loverboy1 mylove12
  iloveyouu iloveyouso iloveyousomuch iloveu123 foreverlove sexybitch1 princess12 princess123 babygirl12 babygirl123
  sunshine2 sunshine12 sunshine123 sweetheart1 sweetpea1 cutiepie1 tinkerbell1 hellokitty1 superstar1 baseball123
  gymnastics liverpool123 chelsea123 barcelona1 realmadrid1 manutd123 juventus1 kobe2408 michaeljordan eagles123
  spiderman123 pokemon1234 dragonball1 digimon1 minecraft1 fortnite fortnite1 fortnite123 roblox123 xbox360live
  assassin1 johncena1 linkinpark1 blink182a rollingstones harrypotter1 gryffindor twilight1 spongebob1 scooby123
  mickey123 hannahmontana jessica123 christina1 christine1 angelina1 veronica1 rachel123 hannah123 elizabeth2
  jonathan123 alexander123 matthew123 william123 anthony123 santiago1 emmanuel1 mohammed1 whatever123 computer123
  internet123 letmein! welcome1! welcome@123 hello12345 helloworld1 changeme123 default123 secret01 admin1234
  admin12345 admin123456 admin@123 admin@1234 admin123! adminadmin administrator1 admin2020 admin2023 admin888
  admin666 adminpass adminpassword admin001 root1234 root12345 root123456 rootroot rootpassword toor1234 r00tr00t
  user1234 user12345 useruser username1 test12345 test123456 testtest1 tester123 testpassword test@123 guest123
  guest1234 guestguest demo1234 demodemo login123 loginlogin manager123 support123 server123 system123 oracle123
  mysql123 postgres postgres123 postgresql ubuntu123 linux123 windows10 windows7 facebook1 facebook123 linkedin
  linkedin1 twitter1 twitter123 youtube1 youtube123 instagram instagram1 myspace123 yahoo123 hotmail1 hotmail123
  gmail123 iphone123 chocolate123 strawberry1 icecream1 banana123 apple1234 orange123 purple123 yellow123 white123
  diamond123 rainbow123 thunder123 flower123 tigger123 scorpion1 blahblah1 teddybear1 skittles1 peanut123 bailey123
  harley123 summer123 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 winter123 winter2020
  winter2021 winter2022 winter2023 winter2024 winter2025 spring2020 spring2021 spring2022 spring2023 spring2024
  spring2025 autumn2021 autumn2022 autumn2023 autumn2024 september1 christmas1 freedom123 america123 usa12345
  brasil123 newyork123 chicago123 pakistan123 indian123 indonesia1 schweiz1 mustang123 yamaha123 harleydavidson
  skateboarding jesus1234 allah123 believe1 sairam123 ganesha1 mother123 family123 family12 friends2 friends123
  bestfriends teamo123 teamomucho princesa1 corazon1 bonjour123 soleil123 coucou123 doudou123 loulou123 jetaime1
  schatz123 hallo1234 sommer123 bayern123 passwort1234 ficken123 nothing123 undefined security123 accessdenied
  password321 phoenix123 southside1 eastside1 happiness1 happy1234 lucky13a goodluck1 success123 photography
  mountaindew monopoly1 test1test 12345678k
`

/**
 * Passwords that are in several published lists of leaked passwords, of eight characters and more, in lower case: about
 * 18,000. Attackers try them first (OWASP ASVS 5.0, 6.2.4 asks for 3,000).
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  [...dictionary.passwords, ...more.trim().split(/\s+/)]
    .map((password) => password.toLowerCase())
    .filter((password) => [...password].length >= 8),
)
