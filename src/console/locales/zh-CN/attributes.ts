import type { AreaTexts } from '../en/areas.ts'

const number = new Intl.NumberFormat('zh-CN')

type Bound = number | null

const between = (least: Bound, most: Bound): string => {
  if (least !== null && most !== null) return least === most ? `${least}` : `${least} 至 ${number.format(most)}`
  return least !== null ? `不小于 ${least}` : most !== null ? `不大于 ${number.format(most)}` : ''
}

const lengths = (least: Bound, most: Bound): string => {
  if (least !== null && most !== null)
    return least === most ? `${least} 个字符` : `${least} 至 ${number.format(most)} 个字符`
  return least !== null ? `至少 ${least} 个字符` : most !== null ? `最多 ${number.format(most)} 个字符` : ''
}

export const attributes: AreaTexts['attributes'] = {
  label: '已声明的属性',
  filter: '属性',
  filterValue: (label: string) => `${label}的值`,
  anyValue: '任意值',
  help: '用户和分组的自定义字段。表单、列表、搜索、字段映射、备份和目录随之生效，无需重启。',
  highestOnly: '只有级别为 1 的角色可以声明、修改和移除属性。',
  declare: '声明属性',
  submit: '声明',
  empty: '尚未声明属性',
  emptyHelp: '除已有字段外，可声明组织需要的字段，例如成本中心。',
  kinds: { user: '用户', group: '分组' },
  types: { text: '文本', integer: '整数', boolean: '是或否', date: '日期' },
  several: (type) => `${type}，多个`,
  typeLabel: '值的类型',
  owns: { hidden: '不可见', see: '可见', edit: '可见并可修改' },
  ownsShort: { hidden: '不可见', see: '可见', edit: '可修改' },
  columns: {
    label: '标签',
    kind: '所属',
    type: '类型',
    bounds: '范围',
    own: '本人的值',
    seen: '可见者',
    changed: '可修改者',
    source: '来自数据来源',
    directory: '目录',
  },
  everyone: '全部',
  roles: (count) => `${number.format(count)} 个角色`,
  characters: lengths,
  numbers: between,
  size: (bounds) => `${bounds} 字`,
  helps: {
    name: '用于请求、筛选和字段映射：以小写字母开头，后接字母和数字。之后不能修改。',
    type: '之后不能修改。',
    multiple: '最多 50 个值。之后不能修改。',
    minimum: '数值本身，或文本的字符数',
    maximum: '留空：无限制',
    searched: '列表的搜索会查找其值，至少输入三个字符。',
    own: '用户可以对自己的值做什么',
    seeRoles: '留空：可查看该记录的所有人。级别 1 始终可以。',
    editRoles: '留空：可修改该记录的所有人。级别 1 始终可以。',
    ldapAttribute: '目录架构中的名称，例如 roomNumber。留空：不写入目录。',
    objectClass: '条目自身的类不允许该 LDAP 属性时，由它允许。',
  },
  english: '英文标签',
  chinese: '中文标签',
  moves: '更改 LDAP 属性或类后，Steward 写入的内容会移到新位置。超出新范围的已有值在修改前保持不变。',
  declared: (name) => `已声明 ${name}。`,
  changed: (name) => `已修改 ${name}。`,
  created: '声明时间',
  updated: '修改时间',
  by: '声明者',
  name: '请求中的名称',
  remove: '移除属性',
  removeValues: (label, people) =>
    people === null
      ? `“${label}”的所有值都会被删除。`
      : people === 0
        ? `没有用户填写“${label}”。`
        : `“${label}”的值会被删除：${number.format(people)} 名用户有此值。`,
  removeEntries: (name) => `目录条目会失去 Steward 写入 ${name} 的内容。其他程序写入的内容保持不变。`,
  removeSources: (sources) => `它会从字段映射中移除：${sources}。`,
  removeFinal: '此操作无法撤销。',
  removed: (label, records) => `已移除${label}。${number.format(records)} 条记录曾有此值。`,
  title: '其他属性',
  saved: '属性已保存。',
  save: '保存属性',
  none: '无值',
  oneAfterAnother: '按 Enter 添加一个值。',
  dates: '例如 2026-11-23',
  yesOrNo: 'true 或 false',
}
