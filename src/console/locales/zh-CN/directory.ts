import type { AreaTexts } from '../en/areas.ts'

export const directory: AreaTexts['directory'] = {
  state: '目录状态',
  compare: {
    title: '与记录比对',
    help: '将每个条目与其记录比对，并修复缺失或不一致的内容。服务也会按 DRIFT_INTERVAL 自动比对。',
    kinds: { users: '用户', groups: '分组' },
    never: '尚未手动比对',
    figures: (total, repaired, failed, orphans) =>
      `已比对 ${total}，修复 ${repaired}，失败 ${failed}，孤立条目 ${orphans}`,
    wouldBe: (total, repaired, failed, orphans) =>
      `已比对 ${total}，将修复 ${repaired}，将失败 ${failed}，孤立条目 ${orphans}`,
    run: (id) => `任务 ${id}`,
    now: '立即比对',
    nowOf: (what) => `立即比对：${what}`,
    done: (total, repaired, failed) => `已比对 ${total} 条记录：修复 ${repaired} 条，失败 ${failed} 条。`,
    goesOn: '比对需要更长时间，仍在进行。请在任务中查看结果。',
  },
  orphans: {
    title: '孤立条目',
    help: '目录中不属于任何记录的条目。在你决定之前，Steward 不会改动它们。需要级别为 1 的角色。',
    label: '孤立条目',
    columns: { dn: 'DN', kind: '类型', record: '对应记录' },
    kinds: { user: '用户', group: '分组' },
    classes: '对象类',
    state: '状态',
    states: { open: '待处理', adoptable: '可认领', ignored: '已忽略' },
    kind: '类型',
    anyKind: '全部类型',
    search: 'DN 的一部分',
    isIgnored: '已忽略',
    obstacle: '无法认领',
    none: '没有孤立条目',
    noneHelp: '目录中的每个条目都属于某条记录，或已被忽略。',
    noneIgnored: '没有已忽略的条目',
    gone: '此条目不在列表中，可能已被认领，或处于其他状态。',
    total: (count) => `共 ${count} 个条目`,
    tooMany: (most) => `最多选择 ${most} 条，或处理符合筛选条件的全部条目。`,
    left: (count) => `所选中有 ${count} 个条目无法认领，将保持不变。`,
    adopt: {
      action: '认领',
      many: (count) => `认领 ${count} 个条目`,
      why: (count) =>
        `${count} 个条目将成为其记录的条目，并立即与记录保持一致：Steward 写入的内容会替换现有内容，其他程序写入的内容保留。此后条目随记录变化，也随记录删除。`,
      done: (count) => `已认领 ${count} 个条目。`,
    },
    ignore: {
      action: '忽略',
      many: (count) => `忽略 ${count} 个条目`,
      why: (count) => `${count} 个条目不会被改动，比对也不再提示。可在“已忽略”中恢复提示。`,
      done: (count) => `已忽略 ${count} 个条目。`,
    },
    heed: {
      action: '恢复提示',
      many: (count) => `恢复提示 ${count} 个条目`,
      why: (count) => `比对将再次提示这 ${count} 个条目，目录不会被改动。`,
      done: (count) => `已恢复提示 ${count} 个条目。`,
    },
    all: {
      adopt: '认领全部符合条件的…',
      ignore: '忽略全部符合条件的…',
      nothing: { adopt: '符合条件的条目都无法认领。', ignore: '没有符合条件的条目。' },
      first: (shown, total) => `共 ${total} 个，以下为前 ${shown} 个：`,
    },
  },
}
