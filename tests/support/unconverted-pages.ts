/**
 * Pages that still load their data themselves instead of asking operations. Delete a file here with its conversion: the
 * architecture test refuses entries that are no longer needed. A new page never belongs here.
 */
export const unconvertedPages: readonly string[] = ['src/identity/organizations/members/members.pages.tsx']
