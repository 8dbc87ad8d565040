import { z } from 'zod'
import type { NetworkCall } from '../network.ts'
import { NotCreatedError, unexpectedResponse } from '../not-created.ts'
import { step, type GraphApi } from './api.ts'

export const GraphId = z.object({ id: z.string().regex(/^\d{1,30}$/) })

/** @throws NotCreatedError */
export async function createContainer(
  api: GraphApi,
  call: NetworkCall,
  path: string,
  form: Record<string, string>,
): Promise<string> {
  const created = GraphId.safeParse(await step(api, call, path, { method: 'POST', form }))
  if (!created.success) throw unexpectedResponse(api.name)
  return created.data.id
}

const Status = z.enum(['IN_PROGRESS', 'FINISHED', 'ERROR', 'EXPIRED', 'PUBLISHED'])
type ContainerStatus = z.output<typeof Status>
const Container = z
  .object({
    status_code: Status.optional(),
    status: z.string().optional(),
    error_message: z.string().optional().catch(undefined),
  })
  .transform(({ status_code: code, status, error_message: reason }) => ({ status: code ?? status, reason }))

/** `field` is the network’s name for it. @throws NotCreatedError */
async function getContainerStatus(
  api: GraphApi,
  call: NetworkCall,
  id: string,
  field: 'status' | 'status_code',
): Promise<ContainerStatus> {
  const fields = field === 'status' ? 'status,error_message' : 'status_code,status'
  const container = Container.safeParse(await step(api, call, `/${id}`, { query: { fields } }))
  const status = Status.safeParse(container.data?.status)
  if (!status.success) throw unexpectedResponse(api.name)
  if (status.data === 'ERROR') throw mediaRefused(api.name, container.data?.reason)
  return status.data
}

const mediaRefused = (network: string, reason = 'without a reason'): NotCreatedError =>
  new NotCreatedError({
    kind: 'refused',
    code: 'media_refused',
    message: `${network} couldn’t process a file of the post (${reason}). Replace it.`,
    transient: false,
  })

/** Short waits first: most images are finished at once. At most until the call’s timeout. @throws NotCreatedError */
export async function waitUntilFinished(
  api: GraphApi,
  call: NetworkCall,
  id: string,
  field: 'status' | 'status_code',
): Promise<void> {
  for (let pause = 250; ; pause = Math.min(2 * pause, 2_000)) {
    const status = await getContainerStatus(api, call, id, field)
    if (status === 'FINISHED' || status === 'PUBLISHED') return
    if (status === 'EXPIRED') throw unexpectedResponse(api.name)
    await Bun.sleep(pause)
  }
}
