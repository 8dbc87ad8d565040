import type { Member } from './hub.ts'

/** How many run at a time: each asks the database that requests use, and there can be thousands. */
const atOnce = 4

/** The rechecks of live channels that are due, a few at a time. */
export interface Rechecks {
  /** Rechecks a channel once its turn comes; the urgent ones come first. */
  add(member: Member, options?: { urgent: boolean }): void
  /** Forgets a channel that has closed. */
  delete(member: Member): void
}

export function createRechecks(): Rechecks {
  const urgent = new Set<Member>()
  const others = new Set<Member>()
  let running = 0

  const run = () => {
    while (running < atOnce) {
      const [member] = urgent.size > 0 ? urgent : others
      if (!member) return
      remove(member)
      running += 1
      void member.recheck().finally(() => {
        running -= 1
        run()
      })
    }
  }
  const remove = (member: Member) => {
    urgent.delete(member)
    others.delete(member)
  }

  return {
    add: (member, options) => {
      if (options?.urgent) {
        others.delete(member)
        urgent.add(member)
      } else if (!urgent.has(member)) others.add(member)
      run()
    },
    delete: remove,
  }
}
