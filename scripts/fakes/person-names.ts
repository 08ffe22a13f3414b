/** Family names by how common they are, with their pinyin. */
export const chineseFamilyNames = `王 wang 李 li 张 zhang 刘 liu 陈 chen 杨 yang 黄 huang 赵 zhao 吴 wu 周 zhou 徐 xu 孙 sun 马 ma 朱 zhu 胡 hu
郭 guo 何 he 林 lin 高 gao 罗 luo 郑 zheng 梁 liang 谢 xie 宋 song 唐 tang 许 xu 韩 han 冯 feng 邓 deng 曹 cao 彭 peng 曾 zeng 肖 xiao 田 tian 董 dong 潘 pan
袁 yuan 蔡 cai 蒋 jiang 余 yu 于 yu 杜 du 叶 ye 程 cheng 魏 wei 苏 su 吕 lv 丁 ding 任 ren 卢 lu 姚 yao 沈 shen 钟 zhong 姜 jiang 崔 cui 谭 tan 陆 lu 汪 wang
范 fan 石 shi 廖 liao 贾 jia 夏 xia 韦 wei 方 fang 白 bai 邹 zou 孟 meng 熊 xiong 秦 qin 邱 qiu 江 jiang 欧阳 ouyang 司马 sima 诸葛 zhuge 上官 shangguan`

export const chineseGivenNames = `伟 wei 芳 fang 娜 na 敏 min 静 jing 秀英 xiuying 丽 li 强 qiang 磊 lei 军 jun 洋 yang 勇 yong 艳 yan 杰 jie 娟 juan 涛 tao
明 ming 超 chao 霞 xia 平 ping 刚 gang 桂英 guiying 文 wen 辉 hui 鹏 peng 浩然 haoran 子轩 zixuan 宇轩 yuxuan 雨桐 yutong 梓涵 zihan 欣怡 xinyi 思远 siyuan
嘉怡 jiayi 俊杰 junjie 志强 zhiqiang 建国 jianguo 海燕 haiyan 晓东 xiaodong 晓燕 xiaoyan 立新 lixin 雪梅 xuemei 佳琪 jiaqi 天宇 tianyu 一诺 yinuo 若曦 ruoxi
子墨 zimo 明哲 mingzhe 梦洁 mengjie 诗涵 shihan 泽宇 zeyu 瑞 rui 晨 chen 宁 ning 岚 lan 昊 hao 琳 lin 璐 lu 倩 qian 凯 kai 斌 bin 峰 feng 波 bo 丹 dan 婷 ting
建华 jianhua 国强 guoqiang 春梅 chunmei 文博 wenbo 书瑶 shuyao 景行 jingxing 安琪 anqi 望舒 wangshu`

export const westernFirstNames = `Anna Thomas Maria Peter Julia Lukas Sophie Daniel Emma Jonas Laura Felix Lena Paul Clara Max Charlotte David Elena Martin
Nora Simon Alice James Olivia Henry Grace Oliver Emily Jack Isabella William Amelia George Ella Samuel Chloe Adam Lucy Benjamin Zoë José Ana Miguel Lucía Carlos
Inés Pierre Camille Antoine Élodie Luc Chiara Marco Giulia Luca Francesca Søren Ingrid Lars Astrid Björn Katarzyna Piotr Zofia Mateusz Aisha Omar Leila Priya Arjun
Ananya Rahul Yuki Haruto Minh Linh`

export const westernLastNames = `Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Moore Martin Thompson White Harris Clark Lewis Walker Hall
Young King Wright Hill Green Baker Nelson Carter Müller Schmidt Schneider Fischer Weber Wagner Becker Hoffmann Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann
Zimmermann Krüger O'Brien O'Connor MacDonald García Rodríguez Martínez López Hernández Fernández Dubois Moreau Laurent Lefèvre Rossi Ferrari Esposito Bianchi Jensen
Nielsen Hansen Lindström Kowalski Nowak Wiśniewski Novák Sharma Patel Gupta Nakamura Tanaka Nguyen Tran`

export const chineseTitles = `软件工程师 高级软件工程师 测试工程师 产品经理 高级产品经理 项目经理 数据分析师 算法工程师 运维工程师 架构师 交互设计师 销售经理 客户经理 区域总监 人力资源专员
招聘经理 会计 财务经理 法务专员 采购专员 行政助理 市场专员 供应链经理 质量工程师 部门总监 实习生`

export const westernTitles = `Software Engineer|Senior Software Engineer|Staff Engineer|Engineering Manager|Product Manager|Program Manager|Data Analyst|Data Scientist
Site Reliability Engineer|QA Engineer|Product Designer|UX Researcher|Account Executive|Sales Manager|Customer Success Manager|Solutions Architect|HR Business Partner
Recruiter|Accountant|Financial Controller|Legal Counsel|Procurement Specialist|Office Manager|Marketing Manager|Supply Chain Planner|Director|Working Student`

/** Names that break directories, CSV files and shells; every one was really typed once by a user. */
export const oddPersonNames = [
  'Smith, John (Contractor)',
  '李娜+外包',
  'Robert "Bob" Miller',
  'DOMAIN\\j.doe',
  '#NAME?',
  '🎉 王小明 🎉',
  'Jean-Luc d’Artagnan de la Tour du Pin-Verclause von Hohenzollern-Sigmaringen zu Löwenstein-Wertheim',
  ' 张三 ',
  'Zoë=Krüger; <zoe@example.com>',
  '阿卜杜拉·买买提·艾力',
]

/** Letters a mail address can hold, from a name that may have others. */
export const plainLetters = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replace(/[^a-z0-9]/g, '')
