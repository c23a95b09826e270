/** English: who holds the task, and what became of it. */
export const enLock = {
  "lock.countdown": "can be taken over in {time}",
  "lock.editsKept":
    "{count|Your edit is|Your edits are} kept in this browser. Take the task again to join {count|it|them} in.",
  "lock.editsKeptOnly": "{count|Your edit is|Your edits are} kept in this browser.",
  "lock.endedBy": "{name} ended your hold on this task at {time}: “{reason}”.",
  "lock.forViewer": "You can look: in your role you change nothing here. What is shown was confirmed.",
  "lock.forViewerEmpty": "You can look: in your role you change nothing here. Nothing is confirmed yet.",
  "lock.freeNow": "Nobody holds it now.",
  "lock.heldBy": "{name} works on this task since {time}.",
  "lock.inReview": "You can look, but not change anything while it is in review.",
  "lock.inReviewMine":
    "You can look. While somebody reviews it you cannot take it back; once nobody does you can, until it is decided.",
  "lock.leftElsewhere": "You gave this task back at {time}, on another page.",
  "lock.lostFree": "You no longer hold this task; nobody else does.",
  "lock.lostTo": "{name} holds this task now, since {time}.",
  "lock.noEdits": "Everything you did was saved.",
  "lock.onHold": "On hold by {by}: {reason}",
  "lock.quorum": "You can decide. Correcting is not possible while somebody else holds the task.",
  "lock.ranOut": "Your hold on this task has run out: nothing was heard of this page for too long.",
  "lock.ranOutAt": "Your hold on this task ran out at {time}: nothing was heard of this page for too long.",
  "lock.readOnly":
    "You can look, but not change anything. This page unlocks by itself when the task is free.",
  "lock.takeAgain": "Take it again",
  "lock.takeOver": "Take over",
  "lock.takenBy": "{name} took this task over at {time}.",
  "lock.why": "{what}: {more}",
  "lock.whyArchived": "task archived",
  "lock.whyDecided": "the review was decided",
  "lock.whyGivenAway": "the batch was given to others",
  "lock.whyNoMember": "no longer a member",
  "lock.whyOnHold": "batch on hold",
  "lock.whyOtherRole": "role changed",

  "reopened.badge": "Reopened",
  "reopened.by": "Reopened by {name}, {time}",
  "reopened.text": "{name} reopened this task:",

  "role.annotator": "annotator",
  "role.projectAdmin": "project admin",
  "role.reviewer": "reviewer",
  "role.superAdmin": "super admin",
  "role.viewer": "viewer",

  "view.notStarted": "Nobody has begun this task yet.",
  "view.unfinished": "This task is begun; nobody works on it right now.",
} as const;
