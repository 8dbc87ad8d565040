import type { ImageModels } from '#social/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'

interface Cause {
  /** Nothing can be generated until it is solved. */
  blocks: boolean
  title: string
  /** Of the page where people with the permission solve it. */
  href?: string
  label: string
}

const noModel: Cause = {
  blocks: true,
  title: 'Set up an image model',
  href: '/gateway/models',
  label: 'Choose a model',
}

const causes: Record<string, Cause> = {
  credential_missing: {
    blocks: true,
    title: 'Set up an image model',
    href: '/gateway/credentials',
    label: 'Add a credential',
  },
  model_not_found: noModel,
  model_not_allowed: noModel,
  model_unavailable: { ...noModel, blocks: false, title: 'The model is no longer offered' },
  model_unpriced: { ...noModel, title: 'The image model has no price', label: 'Set a price' },
  budget_exceeded: { blocks: false, title: 'The budget is used up', href: '/gateway/limits', label: 'View limits' },
  provider_key_rejected: {
    blocks: false,
    title: 'The provider rejected the key',
    href: '/gateway/credentials',
    label: 'View credentials',
  },
}

const away: Cause = { blocks: true, title: 'Images can’t be generated right now', label: 'Reload' }

/** With one of these nothing reached the model, or it refused. Of others the provider can bill something. */
const freeCodes = new Set([
  'prompt_refused',
  'provider_refused',
  'provider_limited',
  'concurrency_limited',
  ...Object.keys(causes),
])

export const isFree = (code: string): boolean => freeCodes.has(code)

export const causeOf = (code: string): Cause | undefined => causes[code]

interface UnavailableProps {
  models: ImageModels
}

export const isBlocked = ({ unavailable }: ImageModels): boolean =>
  unavailable !== null && (causes[unavailable.code] ?? away).blocks

/** Why nothing can be generated, or why it could be refused, and what to do. */
export const Unavailable = ({ models: { unavailable, can } }: UnavailableProps) => {
  if (!unavailable) return <></>
  const { blocks, title, href, label } = causes[unavailable.code] ?? away
  const link = href === undefined || can.setUp ? <ButtonLink label={label} size="sm" href={href ?? ''} /> : <></>
  if (!blocks)
    return (
      <Notice tone="warning" title={title} text={unavailable.message} role="status">
        {link}
      </Notice>
    )
  const ask = href !== undefined && !can.setUp ? ' Ask an admin of your organization.' : ''
  return (
    <Empty icon="sparkles" title={title} text={`${unavailable.message}${ask}`}>
      {link}
    </Empty>
  )
}
