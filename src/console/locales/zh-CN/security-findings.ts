import type { Data } from '../../app/api.ts'
import type { AlertRuleName } from '../../generated/alert-rules.ts'

/** What costs points, by its kind. */
export const findings: Readonly<Record<Data<'getScore'>['deductions'][number]['kind'], string>> = {
  signInAttack: '24 小时内登录失败 {count} 次，来自 {addresses} 个地址，可能是攻击。请在服务前端封锁这些地址。',
  signInFailures: '24 小时内登录失败 {count} 次，来自 {addresses} 个地址。',
  signInLocks: '{count} 个账号或地址连续失败十次后被锁定：{names}。锁定在 15 分钟后自动解除。',
  denialsMany: '24 小时内 {callers} 个调用者的 {count} 次请求被拒绝，数量很多。',
  denials: '24 小时内 {callers} 个调用者的 {count} 次请求被拒绝。',
  limits: '24 小时内 {count} 次请求超出频率限制。',
  directoryLate:
    '{count} 条记录的权限已收回，但一分钟后目录中仍然有效，应用仍会接受。请检查 LDAP_URL 的服务器是否接受修改。',
  directoryParked: '目录拒绝了 {records} 条记录中的 {count} 条，原因见各条记录。',
  directoryStuck: '{records} 条记录中有 {count} 条尝试三次以上仍未写入目录。请检查目录服务器能否连接。',
  driftUnknown: '目录已很久没有与数据库比对，请检查目录能否连接。',
  directoryNone: '没有目录：用户和分组只在数据库中。',
  directoryEmbedded: '使用的是内置目录，随本服务停止，且没有副本。',
  runFailed: '{source} 的同步任务 {id} 失败。',
  runHeld: '{source} 的同步任务 {id} 已暂缓，等待确认。',
  sourceNeverRun: '{source} 已配置，但从未同步过。请先试运行，再同步。',
  sourceOld: '{source} 超过 7 天没有同步。',
  recordsFailed: '{source} 的同步任务 {id} 有 {count} 条记录未能导入。',
  devicesDark: '{total} 台设备中有 {count} 台离线，可能是网络或供电故障。',
  devicesOffline: '{total} 台设备中有 {count} 台离线。请检查，或移除不再使用的设备。',
  devicesSilent: '{count} 台在线设备没有按时发送心跳。',
  batteryLow: '{count} 台设备的电量不高于 20%。',
  backupNone: '没有已校验的备份：现在丢失数据将无法恢复。',
  backupStale: '最新的已校验备份已有 {days} 天。请立即创建，并检查 BACKUP_SCHEDULE 和日志。',
  backupOld: '最新的已校验备份已有 {hours} 小时。',
  backupFailed: '最新的已校验备份之后，有 {count} 次备份失败。',
  backupFuture:
    '有一个已校验备份的时间在将来（{at}）：创建时时钟偏快，或现在时钟偏慢。请检查数据库所在机器的时钟，然后创建备份。',
  backupClear: '最新的已校验备份未加密：能读取文件的人就能读取全部数据。',
  chainBroken: '操作日志自条目 {seq} 起与写入时不一致，数据库可能被篡改。请保留副本，并运行命令 verify-log。',
  chainUnchecked:
    '从 {first} 到 {last} 共 {count} 条日志由未知密钥签名，无法核对。请把旧密钥加在 LOG_KEY 的当前密钥之后。',
  chainStuck: '{count} 条操作日志无法写入，修改类请求会被拒绝。请检查数据库服务器和磁盘。',
  chainGap: '条目 {seq} 之前的操作日志已丢失或可能丢失。',
  chainEmpty: '操作日志为空，没有任何操作记录。',
  alertsOverdue: '{count} 条危险告警一小时内未处理。',
  alertsDanger: '{count} 条危险告警尚未处理。',
  alertsOpen: '{count} 条危险以下级别的告警尚未处理。',
  secretGuessable: '{name} 看起来是示例或有规律，容易被猜到。请设为 openssl rand -base64 48 的输出。',
  connectionClear: '{name} 的连接未加密：密码可在网络中被读取。',
  factorMissing: '{administrators} 名管理员中有 {count} 名未设置两步验证：{names}。',
  openToNetwork: '其他机器可以直接访问服务，且没有配置带 TLS 的代理。',
  trustsAnyClient: 'TRUST_PROXY 已开启：任何客户端都可以伪造地址，影响频率限制、锁定和日志。',
  originClear: 'CORS_ORIGIN 允许未加密的来源：{names}。',
  smtpMissing: '没有邮件服务器：验证码和通知只会写入 DATA_DIR/mail 中的文件。',
  backupsUnscheduled: 'BACKUP_SCHEDULE 已关闭：只有手动操作才会备份。',
  backupKeyMissing: '未设置 BACKUP_KEY，备份不加密。密钥请另存一份，没有它无法读取备份。',
  adminPasswordKept: 'ADMIN_PASSWORD 仍在设置中，它只在首次启动时使用。请移除。',
  secretGenerated: '令牌由自动生成的密钥签名，保存在 DATA_DIR/secrets。多实例部署时请设置 JWT_SECRET。',
  logKeyMissing: '操作日志的密钥由令牌密钥派生。请设置 LOG_KEY，并把当前密钥列在其后。',
  fastPasswordHash: '{names} 为 ssha512：密码哈希泄露后可被快速破解。',
  ntHashes:
    'LDAP_NT_HASH 已开启：目录中有每个密码的 NT 哈希（无盐 MD4）。对 MSCHAPv2 它等同于密码，泄露后可被每秒猜测数十亿次。',
  idleSessions: '{sessions} 个会话中有 {count} 个超过三天未使用。请结束不需要的会话。',
  databaseEmbedded: '使用的是内置数据库，仅适合单机单实例。',
}

/** Alerts by the rule that raised them. */
export const alertTitles: Readonly<Record<AlertRuleName, string>> = {
  attemptsRepeated: '多次尝试失败',
  attemptsLocked: '尝试失败过多，已锁定',
  newAddress: '管理员从新地址登录',
  tokenReused: '已轮换的令牌再次出现',
  forbiddenBurst: '大量无权限的请求',
  limitBurst: '大量请求超出频率限制',
  adoptedAdministratorPassword: '管理员密码在目录中被修改',
  lateWithdrawals: '已收回，但目录中仍然有效',
  removalsHeld: '从目录移除条目已暂缓',
  foreignPasswords: '目录中存在未知的密码',
  comparisonRefused: '目录无法与数据库比对',
  peopleWithoutRecord: '目录中有不属于任何记录的用户条目',
  otherServer: '目录的首选服务器未在使用',
  runHeld: '同步任务已暂缓',
  runFailed: '同步任务失败',
  deviceOffline: '设备离线',
  batteryLow: '电量低',
  backupFailed: '备份失败',
  backupMissing: '缺少备份',
  restoredAtTerminal: '在终端恢复了备份',
  tokenSecretChanged: 'JWT_SECRET 已不同',
  logBroken: '操作日志与写入时不一致',
  logUnchecked: '部分操作日志无法核对',
  logEndChanged: '操作日志的末尾与写入时不一致',
  logKeyReplaced: '操作日志改用其他密钥签名',
  logStuck: '操作日志无法写入',
  logNotStreamed: 'syslog 接收端未接收操作日志',
  logEntryRefused: '一条操作日志未能保存',
  logLost: '停止服务时丢失了操作日志',
  endedWithoutStop: '服务未正常停止',
  emergency: '紧急求助：{type}',
}

/** What an alert says, by the rule that raised it. */
export const alertTexts: Readonly<Record<AlertRuleName, string>> = {
  attemptsRepeated: '15 分钟内 {subject} 尝试失败 {failures} 次，最近一次来自 {address}',
  attemptsLocked: '15 分钟内 {subject} 尝试失败 {failures} 次，最近一次来自 {address}；锁定 15 分钟',
  newAddress: '{username} 从 {address} 登录，此前未使用过该地址',
  tokenReused: '{username} 的令牌在轮换后从 {address} 再次出现，可能已被盗用。该会话已结束',
  forbiddenBurst: '{seconds} 秒内 {caller} 有 {requests} 次请求没有权限，最近一次来自 {address}',
  limitBurst: '{seconds} 秒内 {caller} 有 {requests} 次请求超出频率限制，最近一次来自 {address}',
  adoptedAdministratorPassword:
    '{username} 拥有全部权限，其密码在目录中（而非此处）被修改，现已采用，其所有会话已结束。如果不是本人操作，请停用该账号，并检查谁可以写入目录中的 userPassword',
  batteryLow: '{name} 的电量剩余 {battery}%',
  backupMissing: '自 {since} 起没有已校验的备份，但按 BACKUP_SCHEDULE 应有备份',
  restoredAtTerminal: '现有数据为 {taken} 的数据（{file}），由命令 restore 恢复',
  tokenSecretChanged:
    '有实例以不同于上一次启动的 JWT_SECRET 启动。用另一密钥签发的会话、链接和验证码会被拒绝，用它登记的身份验证器应用无法使用，用它封存的哈希会重新生成。如果更换了密钥，请将原密钥写入 JWT_SECRET_PREVIOUS。如果有多个实例，请为它们设置相同的 JWT_SECRET：未设置时，每个实例会在各自的 DATA_DIR/secrets 中生成密钥，该目录需要保留',
  logUnchecked:
    '条目 {first} 至 {last} 由未知密钥（{keyId}）签名。如果是旧密钥，请将其加在 LOG_KEY 的当前密钥之后；否则这些条目不是由本系统写入的',
  logKeyReplaced:
    '条目 {after} 及之前由 LOG_KEY 中当前密钥之后的密钥签名。如果没有修改过 LOG_KEY，说明攻击者持有该密钥',
  logStuck: '自 {since} 起 {waiting} 条日志等待写入。写入之前，修改类请求会被拒绝',
  emergency: '{username} 求助：{description}',
  lateWithdrawals:
    '{total} 项权限收回超过一分钟仍未写入目录：{names}。写入之前，使用目录的应用仍会接受已收回的权限。{reason}',
  removalsHeld:
    '一次更改使 {total} 个用户或分组不再属于某个附加目录的范围，超过其设置允许的数量，条目仍保留在该目录中：{names}。如属误操作，请撤销更改；如确需移除，请设置 {settings} 并重新启动，条目随后会被移除',
  foreignPasswords:
    '目录中有 {total} 名用户的密码不是由本系统写入，但可能可用于登录：{names}。请从条目中删除这些密码，或在此处设置新密码，新密码会替换条目中的全部密码',
  comparisonRefused:
    '目录与数据库的定期比对失败：{reason}。比对成功之前，他人在目录中的改动不会被发现和修复。处理方法：{advice}',
  peopleWithoutRecord:
    '目录中有 {total} 个用户条目不属于任何记录：{names}。应用仍会接受这些账号。它们可能属于已在此处删除的用户，因目录恢复到较早状态或切换服务器而重新出现。请在目录中删除，或在孤立条目中收编或忽略',
  otherServer:
    '更改写入 {current}，因为 {preferred} 无法连接、不接受更改，或缺少 {current} 已有的更改。恢复后会自动切换回来，原因见日志',
  runHeld: '{source} 的同步任务 {id} 等待确认或放弃：{because}',
  runFailed: '{source} 的同步任务 {id} 失败：{reason}',
  deviceOffline: '{name} 离线：{why}',
  backupFailed: '备份 {id} 失败：{reason}。之前的备份不受影响',
  logBroken: '操作日志的条目 {seq} 与写入时不一致（{message}）。命令 verify-log 可检查全部日志',
  logEndChanged: '条目 {after} 之后的日志末尾被改动，之前的条目可能被修改或删除。命令 verify-log 可检查全部日志',
  logNotStreamed: '自 {since} 起 {waiting} 条日志等待 {receiver} 接收：{reason}。日志会保留，恢复后补发',
  logEntryRefused:
    '数据库拒绝了一条日志（{method} {path}，{status}），条目 {seq} 或之前不久的封印代替了它。请检查 operation_logs 的触发器和约束',
  logLost: '停止服务时（{at}）有 {entries} 条日志未能写入，已经丢失',
  endedWithoutStop: '服务（{host} 上的进程 {pid}）在 {seenAt} 之后未正常停止，最后时刻的日志可能缺失',
}
