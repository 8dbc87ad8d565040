import type { FieldError, ProblemDocument } from '#lib/errors.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import type { IconName } from '#views/ui/icon.tsx'
import { opensPalette } from './palette.tsx'
import { isRefusal, RefusalCard } from './refusal.tsx'

interface ProblemProps {
  problem: ProblemDocument
}

export const ProblemFragment = ({ problem }: ProblemProps) => (
  <form-problem data-code={problem.code}>
    {isRefusal(problem) ? <RefusalCard problem={problem} heading="h2" /> : <ProblemNotice problem={problem} />}
  </form-problem>
)

const ProblemNotice = ({ problem }: ProblemProps) => (
  <Notice
    tone="danger"
    role="alert"
    title={headline(problem) ?? (problem.errors ? headlines[422] : undefined)}
    text={problem.errors ? undefined : problem.detail}
    dismissable
  >
    <Fields errors={problem.errors ?? []} />
    <RequestId problem={problem} />
  </Notice>
)

interface ProblemPageProps extends ProblemProps {
  signedIn: boolean
  /** Of the request. */
  method: string
  /** In the organization of the session; null for visitors and in the personal account. */
  role: string | null
  missingApp?: MissingApp | null
}

/** An app that isn’t installed in the organization. */
export interface MissingApp {
  name: string
  standing: 'unpaid' | 'ended' | undefined
}

export const ProblemPage = (props: ProblemPageProps) =>
  isRefusal(props.problem) ? (
    <div class="page">
      <RefusalCard problem={props.problem} heading="h1" />
    </div>
  ) : props.missingApp ? (
    <MissingAppPage app={props.missingApp} role={props.role} />
  ) : (
    <OtherProblem {...props} />
  )

const MissingAppPage = ({ app: { name, standing }, role }: { app: MissingApp; role: string | null }) => (
  <Empty icon="lock" heading="h1" title={`${name} isn’t installed`} text={missingText(standing, role)}>
    <ButtonLink label="Open Apps" href="/apps" variant="primary" />
    {standing && role === 'owner' ? <ButtonLink label="Open billing" href="/settings/billing" /> : null}
  </Empty>
)

const missingText = (standing: MissingApp['standing'], role: string | null): string => {
  const who = role === 'owner' ? 'you subscribe' : 'an owner of the organization subscribes'
  if (standing === 'ended') return `The subscription has ended. The app and its data are back when ${who} again.`
  return standing === 'unpaid'
    ? 'It can be installed again once the open invoice of the organization is paid.'
    : 'An admin of the organization can install it in Apps.'
}

const OtherProblem = (props: ProblemPageProps) => (
  <Empty icon={iconOf(props.problem)} heading="h1" title={pageTitle(props)} text={messageOf(props)}>
    <WayOn {...props} />
    <Code problem={props.problem} />
    <RequestId problem={props.problem} />
  </Empty>
)

const iconOf = ({ status }: ProblemDocument): IconName =>
  status === 403 ? 'lock' : status === 404 ? 'search' : status === 503 ? 'clock' : 'circle-alert'

/** Sent without scripts; otherwise the fields are what a link contains. */
const isForm = ({ problem, method }: ProblemPageProps): boolean =>
  problem.errors !== undefined && method !== 'GET' && method !== 'HEAD'

const pageTitle = (props: ProblemPageProps): string =>
  isForm(props)
    ? 'Nothing was saved'
    : (pageTitles[props.problem.status] ?? headline(props.problem) ?? props.problem.title)

const pageTitles: Record<number, string> = { 404: 'Page not found', 422: 'This link doesn’t work' }

const messageOf = (props: ProblemPageProps): string => {
  const { problem, role } = props
  if (isForm(props))
    return 'Go back, correct these fields and send the form again. Your browser keeps what you entered.'
  if (problem.code === 'permission_missing') return refusalOf(problem, role)
  if (problem.code === 'not_found') return 'It may have been deleted, or you don’t have access to it.'
  if (problem.code === 'rate_limited') return 'Wait a minute, then try again.'
  return problem.errors ? 'Part of its address is missing or wrong. Ask for a new link.' : problem.detail
}

/** Roles whose people can open what another role can't. */
const peopleOf: Record<string, string> = {
  'role:owner': 'owners',
  'role:admin': 'admins and owners',
  'super-admin': 'super admins',
}

const refusalOf = ({ permission, detail }: ProblemDocument, role: string | null): string => {
  const people = peopleOf[String(permission)]
  if (permission === 'super-admin') return `Only ${people} can open this page.`
  if (!role) return detail
  const yours = `You’re ${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}.`
  return people
    ? `Only ${people} can open this page. ${yours}`
    : `${yours} Your role doesn’t include this page. Ask an admin for access.`
}

const WayOn = ({ signedIn, method, role, problem: { status, code } }: ProblemPageProps) => {
  const [home, signIn] = [
    { label: 'Go home', href: '/' },
    { label: 'Sign in', href: '/login' },
  ]
  const settings = { label: 'Go to settings', href: '/settings' }
  if (code === 'workspace_suspended') return <ButtonLink {...settings} variant="primary" />
  if (code === 'permission_missing')
    return (
      <>
        <ButtonLink {...home} variant="primary" />
        {role ? <ButtonLink label="View members" href="/settings/members" /> : null}
        <ButtonLink label="Switch organization" href="/settings/workspaces" />
      </>
    )
  const isTemporary = (status >= 500 || status === 429) && method === 'GET'
  return (
    <>
      {isTemporary ? <ButtonLink label="Try again" icon="rotate-cw" variant="primary" href="" /> : null}
      <ButtonLink {...(signedIn || isTemporary ? home : signIn)} variant={isTemporary ? undefined : 'primary'} />
      {signedIn && status === 404 ? <Button label="Search" icon="search" {...opensPalette} /> : null}
    </>
  )
}

/** For those who can help: the permission that is missing, or the parameters that are wrong. */
const Code = ({ problem: { permission, errors } }: ProblemProps) =>
  errors ? (
    <Fields errors={errors} named />
  ) : typeof permission === 'string' && permission.includes(':') && !permission.startsWith('role:') ? (
    <small class="request-id">
      <code safe>{permission}</code>
    </small>
  ) : (
    <></>
  )

const Fields = ({ errors, named }: { errors: FieldError[]; named?: boolean }) => (
  <ul class={named ? 'request-id' : undefined}>
    {errors.map((error) => (
      <li data-field={error.path} safe>
        {named ? `${error.path}: ${error.message}` : error.message}
      </li>
    ))}
  </ul>
)

/** Finds our failure in the log. */
const RequestId = ({ problem }: ProblemProps) =>
  problem.status < 500 ? (
    <></>
  ) : (
    <small class="request-id">
      Reference ID <code safe>{problem.requestId}</code>
    </small>
  )

const headlines: Record<number, string> = {
  403: 'You don’t have access',
  404: 'Not found',
  422: 'Check what you entered',
  429: 'Too many requests',
  502: 'An external service failed',
  503: 'Temporarily unavailable',
  504: 'Timed out',
}

/** None where the detail says it all. */
const headline = ({ status }: ProblemDocument): string | undefined =>
  headlines[status] ?? (status < 500 ? undefined : 'Something went wrong on our side')
