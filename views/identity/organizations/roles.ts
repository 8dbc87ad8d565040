import type { Member } from '#identity/types'
import { capitalize } from '#lib/text.ts'

type Role = Member['role']

/** What each role may do, in the words of the dialog that gives one. */
const meanings: Record<Role, string> = {
  viewer: 'sees everything',
  reviewer: 'also approves posts',
  editor: 'also writes and schedules',
  admin: 'plus accounts, brands and members',
  owner: 'everything, including the organization',
}

/** A role as people read it. */
export const roleName = (role: string): string => capitalize(role)

/** Roles as choices of a field. */
export const roleOptions = (roles: Role[]) =>
  roles.map((role) => ({ value: role, label: `${roleName(role)}: ${meanings[role]}` }))
