import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { ConnectedApp } from '../networks/app.ts'
import { subjectOf } from '../networks/instagram/subject.ts'
import { findBySubject } from './disconnect.ts'
import { badSignature, readPayload } from './signed-request.ts'

const Connected = z.object({ app: ConnectedApp })

interface VerifiedCallback {
  subject: string
  issuedAt: Date
  /** The accounts that were connected with the app that signed it. */
  connectionIds: string[]
}

/** An app speaks for the accounts that were connected with it, and for no other. @throws {Problem} 400, 503 */
export async function verifyCallback(
  { db, gateway, signal }: Pick<Call, 'db' | 'gateway' | 'signal'>,
  signedRequest: string,
): Promise<VerifiedCallback> {
  const { userId, issuedAt } = readPayload(signedRequest)
  const isSigned = async ({ organizationId, clientId }: Record<'organizationId' | 'clientId', string | null>) =>
    (await gateway.social.apps.verify({ provider: 'instagram', organizationId, clientId, signedRequest }, signal)).valid
  const subject = subjectOf(userId)
  const known = new Map<string, { app: ConnectedApp; ids: string[] }>()
  for (const { id, metadata } of await findBySubject(db, subject)) {
    const { app } = Connected.parse(metadata)
    const key = `${app.organizationId} ${app.clientId}`
    known.set(key, { app, ids: [...(known.get(key)?.ids ?? []), id] })
  }
  const connectionIds: string[] = []
  for (const { app, ids } of known.values()) if (await isSigned(app)) connectionIds.push(...ids)
  // Nothing is stored of an account that was never connected.
  if (connectionIds.length === 0 && !(await isSigned({ organizationId: null, clientId: null }))) throw badSignature()
  return { subject, issuedAt, connectionIds }
}
