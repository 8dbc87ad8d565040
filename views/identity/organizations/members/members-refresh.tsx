/** Replaced when the reader's own role changes, and with it what they can do with every member. */
export const MembersRefreshPlace = () => <span id="members-refresh" hidden />

/** Requests the page again, which keeps focus and scroll. */
export const MembersRefresh = () => (
  <span
    id="members-refresh"
    hidden
    hx-get="/settings/members"
    hx-trigger="load"
    hx-target="#main"
    hx-swap="innerMorph"
  />
)
