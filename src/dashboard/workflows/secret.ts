import { sealContext } from '#lib/secrets/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import { workflows } from '../schema.ts'

const contextOf = (id: string): string => sealContext(workflows.sealedSecret, id)

export const sealWorkflowSecret = (secrets: Secrets, id: string, secret: string): string =>
  secrets.seal(secret, contextOf(id))

export const openWorkflowSecret = (
  secrets: Secrets,
  { id, sealedSecret }: Pick<typeof workflows.$inferSelect, 'id' | 'sealedSecret'>,
): string => secrets.open(sealedSecret, contextOf(id))
