import type { AreaTexts } from '../en/areas.ts'

const number = new Intl.NumberFormat('zh-CN')

export const hosts: AreaTexts['hosts'] = {
  tab: '主机',
  keys: {
    title: 'SSH 密钥',
    help: {
      own: '从目录查询密钥的主机接受你使用这些密钥登录。',
      person: '从目录查询密钥的主机接受该用户使用这些密钥登录。',
    },
    disabled: '该用户已停用：重新启用之前，目录中不显示这些密钥。',
    none: '尚无 SSH 密钥。',
    takesOver: '添加第一个密钥时，会同时接管目录条目中由其他工具写入的密钥。',
    add: '添加密钥',
    keyHelp:
      '请粘贴 .pub 文件（如 ~/.ssh/id_ed25519.pub）中的一行：ed25519、ecdsa 或至少 2048 位的 rsa 公钥，前面不带选项。不保存其注释。',
    added: (name) => `已添加密钥 ${name}。`,
    kind: (type, bits) => `${type}，${bits} 位`,
    addedAt: '添加于',
    remove: '移除',
    removeOf: (name) => `移除密钥 ${name}`,
    removeTitle: (name) => `移除密钥 ${name}？`,
    removeWhy: {
      own: '从目录查询密钥的主机将不再允许你用此密钥登录。已建立的连接不会中断。',
      person: '从目录查询密钥的主机将不再允许该用户用此密钥登录。已建立的连接不会中断。',
    },
    removed: (name) => `已移除密钥 ${name}。`,
  },
  posix: {
    account: 'POSIX 账户',
    group: 'POSIX 组',
    off: '未启用 POSIX 账户：设置 POSIX_ACCOUNTS 为 off。',
    groupOff: '没有 POSIX 组：设置 POSIX_ACCOUNTS 为 off，且 LDAP_GROUP_CLASS 中没有 posixGroup。',
    state: '状态',
    shown: '已在目录中',
    shownWhenEnabled: '用户停用期间不显示',
    inNoGroup: '没有账户：该用户不在任何启用了 POSIX 的分组中，或用户名不能用作 POSIX 账户名',
    noName: '没有账户：该用户名不能用作 POSIX 账户名',
    uidNumber: '用户编号（uid）',
    gidNumber: '组编号（gid）',
    home: '主目录',
    shell: '登录 Shell',
    gecos: '全名（gecos）',
    noNumber: '尚无：写入条目时分配下一个空闲编号',
    fromSettings: '主目录、Shell 和全名由设置 POSIX_HOME、POSIX_SHELL 和 POSIX_GECOS 决定。',
    setNumber: '设置编号',
    numberHelp: '用于在别处已有编号的账户或组。编号设置后不能更改，也不会再分给其他用户或分组。',
    numberSet: '编号已设置。',
    onlyCn: '组织单元（ou）不能是 POSIX 组。',
    everyGroup: '所有分组都是 POSIX 组：LDAP_GROUP_CLASS 中有 posixGroup。',
    everyone: '所有用户和分组都有编号：POSIX_ACCOUNTS 为 all。',
    on: '已启用：成员拥有 POSIX 账户',
    isOff: '未启用',
    switchOn: '启用',
    switchOff: '停用',
    switchOnWhy: (count) =>
      `此分组将成为 POSIX 组，${number.format(count)} 名成员获得 POSIX 账户。编号一经分配永久保留。`,
    switchOffWhy: (count) =>
      `${number.format(count)} 名成员将失去 POSIX 账户（由其他分组获得的除外），主机不再识别他们。编号仍为其保留。`,
    switchedOn: (name) => `${name} 现在是 POSIX 组。`,
    switchedOff: (name) => `已停用 ${name} 的 POSIX。`,
  },
}
