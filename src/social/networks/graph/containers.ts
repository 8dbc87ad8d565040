import { z } from 'zod'
import { classifyStepFailure } from '../http.ts'
import type { NetworkCall, PrepareCall, Preparation } from '../network.ts'
import { NotCreatedError, unexpectedResponse } from '../not-created.ts'
import { step, type GraphApi } from './api.ts'

const Id = z.string().regex(/^\d{1,30}$/)
export const GraphId = z.object({ id: Id })

/** What becomes a post when it is published, and how the network names it. */
export interface ContainerPlan {
  path: string
  statusField: 'status' | 'status_code'
  /** Of a carousel. */
  items: readonly Record<string, string>[]
  form: Record<string, string>
  /** Text is ready at once. */
  isProcessed: boolean
}

const Progress = z.object({ children: z.array(Id), container: Id.nullable() })
const Prepared = z.object({ container: Id }).nullable()

/** Null when nothing was prepared. */
export const containerOf = (prepared: unknown): string | null => Prepared.parse(prepared)?.container ?? null

const pollMs = 3_000

/** Nothing of it is public until the container is published. */
export async function prepareContainer(api: GraphApi, call: PrepareCall, plan: ContainerPlan): Promise<Preparation> {
  const progress = call.progress === null ? { children: [], container: null } : Progress.parse(call.progress)
  const processing = { kind: 'processing', retryAfterMs: pollMs } as const
  const percent = () => (100 * progress.children.length) / (plan.items.length + 1)
  try {
    for (const item of plan.items.slice(progress.children.length)) {
      progress.children.push(await createContainer(api, call, plan.path, item))
      await call.save(progress, percent())
    }
    if (progress.container === null) {
      for (const child of progress.children) if (!(await isFinished(api, call, child, plan))) return processing
      const { children } = progress
      const form = { ...plan.form, ...(children.length > 0 && { children: children.join(',') }) }
      progress.container = await createContainer(api, call, plan.path, form)
      await call.save(progress, percent())
    }
    if (plan.isProcessed && !(await isFinished(api, call, progress.container, plan))) return processing
    return { kind: 'ready', prepared: { container: progress.container } }
  } catch (error) {
    return error instanceof NotCreatedError ? error.outcome : classifyStepFailure(api.name, error)
  }
}

/** @throws NotCreatedError */
async function createContainer(
  api: GraphApi,
  call: NetworkCall,
  path: string,
  form: Record<string, string>,
): Promise<string> {
  const created = GraphId.safeParse(await step(api, call, path, { method: 'POST', form }))
  if (!created.success) throw unexpectedResponse(api.name)
  return created.data.id
}

async function isFinished(
  api: GraphApi,
  call: NetworkCall,
  id: string,
  { statusField }: Pick<ContainerPlan, 'statusField'>,
): Promise<boolean> {
  const { status, reason } = await getContainer(api, call, id, statusField)
  if (status === 'ERROR' || status === 'EXPIRED') throw mediaRefused(api.name, reason)
  return status !== 'IN_PROGRESS'
}

const Status = z.enum(['IN_PROGRESS', 'FINISHED', 'ERROR', 'EXPIRED', 'PUBLISHED'])
const Container = z
  .object({
    status_code: Status.optional(),
    status: z.string().optional(),
    error_message: z.string().optional().catch(undefined),
  })
  .transform(({ status_code: code, status, error_message: reason }) => ({ status: code ?? status, reason }))

interface ContainerState {
  status: z.output<typeof Status>
  reason: string | undefined
}

/** @throws NotCreatedError */
export async function getContainer(
  api: GraphApi,
  call: NetworkCall,
  id: string,
  field: ContainerPlan['statusField'],
): Promise<ContainerState> {
  const fields = field === 'status' ? 'status,error_message' : 'status_code,status'
  const container = Container.safeParse(await step(api, call, `/${id}`, { query: { fields } }))
  const status = Status.safeParse(container.data?.status)
  if (!status.success) throw unexpectedResponse(api.name)
  return { status: status.data, reason: container.data?.reason }
}

const mediaRefused = (network: string, reason = 'without a reason'): NotCreatedError =>
  new NotCreatedError({
    kind: 'refused',
    code: 'media_refused',
    message: `${network} couldn’t process a file of the post (${reason}). Replace it.`,
    transient: false,
  })
