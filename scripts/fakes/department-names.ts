export const companyName = '蓝桥科技 Lanqiao Technology'

/** The departments at the top of a company, each with what is found below it. */
export const divisions: readonly { name: string; units: readonly string[] }[] = [
  {
    name: '研发中心',
    units:
      '平台架构部 前端开发部 后端开发部 移动开发部 数据智能部 质量保障部 基础设施部 信息安全部 用户体验部 技术支持部'.split(
        ' ',
      ),
  },
  {
    name: 'Sales',
    units:
      'EMEA|Asia Pacific|North America|Latin America|Key Accounts|Inside Sales|Channel Partners|Sales Operations'.split(
        '|',
      ),
  },
  {
    name: '销售中心',
    units: '华东大区 华南大区 华北大区 华中大区 西南大区 西北大区 东北大区 大客户部 渠道合作部 售前方案部'.split(' '),
  },
  {
    name: 'Engineering',
    units:
      'Platform|Payments|Mobile Apps|Data & Analytics|Search|Site Reliability|Security|Developer Tools|Quality'.split(
        '|',
      ),
  },
  { name: '人力资源部', units: '招聘组 薪酬福利组 培训发展组 员工关系组 组织发展组 人事共享中心'.split(' ') },
  { name: '财务部', units: '会计核算组 资金管理组 税务组 预算分析组 内部审计组 费用报销组'.split(' ') },
  {
    name: 'Marketing',
    units: 'Brand|Content|Events|Product Marketing|Growth|Public Relations|Design Studio'.split('|'),
  },
  { name: '产品部', units: '企业产品线 消费产品线 国际产品线 产品运营组 产品设计组 用户研究组'.split(' ') },
  {
    name: 'Customer Success',
    units: 'Onboarding|Support|Training|Renewals|Professional Services|Community'.split('|'),
  },
  { name: '供应链管理部', units: '采购组 仓储组 物流组 计划组 供应商管理组 质检组'.split(' ') },
  { name: 'Legal & Compliance', units: 'Contracts|Data Protection|Intellectual Property|Trade Compliance'.split('|') },
  { name: '制造中心', units: '一厂 二厂 三厂 设备部 工艺部 安全环保部 生产计划部'.split(' ') },
  { name: 'Finance', units: 'Accounting|Treasury|Controlling|Tax|Internal Audit|Procurement'.split('|') },
  { name: '客户服务中心', units: '呼叫中心 在线客服组 投诉处理组 服务质量组 现场服务部'.split(' ') },
  {
    name: 'Research',
    units: 'Machine Learning|Materials|Human Factors|Patents & Standards|University Relations'.split('|'),
  },
  { name: '总裁办公室', units: '战略规划部 行政部 公共关系部 企业文化部 督查组'.split(' ') },
  { name: 'People & Culture', units: 'Recruiting|Compensation|Learning|Workplace|People Analytics'.split('|') },
  { name: '信息技术部', units: '网络运维组 桌面支持组 业务系统组 数据中心 流程管理组'.split(' ') },
]

/** What is found far below the top of every division, and under many parents. */
export const teams =
  '一组|二组|三组|四组|测试组|项目组|支持组|海外组|创新组|综合组|Team North|Team South|Team Blue|Team Green|Operations|Tooling|Special Projects|On-call|上海|北京|深圳|成都|Berlin|London|Singapore|Austin'.split(
    '|',
  )

export const oddDepartmentNames = [
  'Sales, Marketing + PR',
  '"Skunk Works"',
  'C:\\Projects\\Legacy',
  '#1 Customers',
  '🚀 增长团队',
  'R&D; Labs = <Future>',
  '  前后空格  ',
  '一个名字特别长的部门'.repeat(8),
  'A/B Testing (原实验平台)',
  "Children's Toys",
]
