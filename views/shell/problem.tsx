import type { FieldError, ProblemDocument } from '#lib/errors.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import type { IconName } from '#views/ui/icon.tsx'

interface ProblemProps {
  problem: ProblemDocument
}

export const ProblemFragment = ({ problem }: ProblemProps) => (
  <form-problem data-code={problem.code}>
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
  </form-problem>
)

export const ProblemPage = ({ problem, signedIn }: ProblemProps & { signedIn: boolean }) => (
  <Empty icon={iconOf(problem)} heading="h1" title={pageTitle(problem)} text={messageOf(problem)}>
    <WayOn signedIn={signedIn} code={problem.code} />
    <RequestId problem={problem} />
  </Empty>
)

const messageOf = ({ errors, detail }: ProblemDocument): string =>
  errors?.map(({ message }) => message).join(' ') ?? detail

const iconOf = ({ status }: ProblemDocument): IconName =>
  status === 403 ? 'lock' : status === 404 ? 'search' : status === 503 ? 'clock' : 'circle-alert'

const pageTitle = (problem: ProblemDocument): string =>
  problem.status === 404 ? 'Page not found' : (headline(problem) ?? problem.title)

const WayOn = ({ signedIn, code }: { signedIn: boolean; code: string }) =>
  code === 'workspace_suspended' ? (
    <ButtonLink label="Go to settings" variant="primary" href="/settings/profile" />
  ) : code === 'permission_missing' ? (
    <>
      <ButtonLink label="Go home" variant="primary" href="/" />
      <ButtonLink label="Switch organization" href="/settings/workspaces" />
    </>
  ) : signedIn ? (
    <ButtonLink label="Go home" variant="primary" href="/" />
  ) : (
    <ButtonLink label="Sign in" variant="primary" href="/login" />
  )

const Fields = ({ errors }: { errors: FieldError[] }) => (
  <ul>
    {errors.map((error) => (
      <li data-field={error.path} safe>
        {error.message}
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
