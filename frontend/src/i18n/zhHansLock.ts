import type { enLock } from "./enLock";

/** 简体中文：谁持有任务，以及任务的去向。 */
export const zhHansLock: Record<keyof typeof enLock, string> = {
  "lock.countdown": "{time} 后可以接管",
  "lock.editsKept": "你的 {count} 处修改保存在此浏览器中。重新取得任务后即可合并。",
  "lock.editsKeptOnly": "你的 {count} 处修改保存在此浏览器中。",
  "lock.endedBy": "{name} 于 {time} 结束了你对此任务的持有：“{reason}”",
  "lock.forViewer": "可以查看；你的角色不能在此修改。显示的是已确认的内容。",
  "lock.forViewerEmpty": "可以查看；你的角色不能在此修改。目前还没有已确认的内容。",
  "lock.freeNow": "目前无人持有。",
  "lock.heldBy": "{name} 自 {time} 起在处理此任务。",
  "lock.inReview": "可以查看；复核期间不能修改。",
  "lock.inReviewMine": "可以查看。有人复核时不能撤回；无人复核时，在作出决定之前可以撤回。",
  "lock.leftElsewhere": "你已于 {time} 在另一页面交还此任务。",
  "lock.lostFree": "你已不再持有此任务，目前无人持有。",
  "lock.lostTo": "{name} 自 {time} 起持有此任务。",
  "lock.noEdits": "你的修改都已保存。",
  "lock.quorum": "可以作出决定；他人持有任务期间不能更正。",
  "lock.ranOut": "你对此任务的持有已到期：此页面太久没有回应。",
  "lock.ranOutAt": "你对此任务的持有已于 {time} 到期：此页面太久没有回应。",
  "lock.readOnly": "可以查看，但不能修改。任务空闲后本页会自动解锁。",
  "lock.takeAgain": "重新取得",
  "lock.takeOver": "接管",
  "lock.takenBy": "{name} 已于 {time} 接管此任务。",
  "lock.why": "{what}：{more}",
  "lock.whyArchived": "任务已归档",
  "lock.whyGivenAway": "批次已分配给他人",
  "lock.whyNoMember": "不再是成员",
  "lock.whyOnHold": "批次已暂停",
  "lock.whyOtherRole": "角色已更改",

  "reopened.badge": "已重新打开",
  "reopened.by": "{name} 于 {time} 重新打开",
  "reopened.text": "{name} 重新打开了此任务：",

  "view.notStarted": "还没有人开始此任务。",
  "view.unfinished": "此任务已开始；目前无人处理。",
};
