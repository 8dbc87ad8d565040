import type { Bar } from '#lib/actor.ts'

interface Row {
  organizationId: string | null
  name: string | null
  lacksSecondFactor: boolean | null
}

/** What a session lacks for the organization that a row was joined with; null when nothing. */
export const barOf = ({ organizationId, name, lacksSecondFactor }: Row): Bar | null =>
  organizationId && name && lacksSecondFactor ? { organizationId, name, needs: 'second_factor' } : null
