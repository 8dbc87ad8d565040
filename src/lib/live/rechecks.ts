import type { Member } from './member.ts'

/** Concurrent rechecks. There can be thousands due, and each needs the database that requests use. */
const maxConcurrent = 4

export interface Rechecks {
  add(member: Member, options?: { urgent: boolean }): void
  delete(member: Member): void
}

export function createRechecks(): Rechecks {
  const urgent = new Set<Member>()
  const others = new Set<Member>()
  let running = 0

  const run = () => {
    while (running < maxConcurrent) {
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
