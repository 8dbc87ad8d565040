import type { FieldError, ProblemDocument } from '#lib/errors.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { Notice } from '#views/ui/notice.tsx'

interface ProblemProps {
  problem: ProblemDocument
}

/** What went wrong with an act, in place: the cause, what to do, the fields it is about. */
export const ProblemFragment = ({ problem }: ProblemProps) => (
  <form-problem>
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

/** The page of a request that could not be answered. `signedIn` decides the way on. */
export const ProblemPage = ({ problem, signedIn }: ProblemProps & { signedIn: boolean }) => (
  <Empty icon="circle-alert" heading="h1" title={headline(problem) ?? problem.title} text={problem.detail}>
    <WayOn signedIn={signedIn} code={problem.code} />
    <RequestId problem={problem} />
  </Empty>
)

const WayOn = ({ signedIn, code }: { signedIn: boolean; code: string }) =>
  code === 'workspace_suspended' ? (
    <ButtonLink label="Your settings" variant="primary" href="/settings/profile" />
  ) : code === 'permission_missing' ? (
    <>
      <ButtonLink label="Back to the start" variant="primary" href="/" />
      <ButtonLink label="Your workspaces" href="/settings/workspaces" />
    </>
  ) : signedIn ? (
    <ButtonLink label="Back to the start" variant="primary" href="/" />
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

/** Finds the request in the log; whose fault is the caller's needs no log. */
const RequestId = ({ problem }: ProblemProps) =>
  problem.status === 422 || problem.status === 401 ? (
    <></>
  ) : (
    <small class="request-id">
      Request <code safe>{problem.requestId}</code>
    </small>
  )

const headlines: Record<number, string> = {
  403: 'You may not do this',
  404: 'Nothing is here',
  422: 'Something needs a change',
  429: 'Too many tries',
  502: 'The other server gave no good answer',
  503: 'Not available for a moment',
  504: 'No answer in time',
}

/** The short words before the detail, where they say more than it. */
const headline = ({ status }: ProblemDocument): string | undefined =>
  headlines[status] ?? (status < 500 ? undefined : 'Something failed on our side')
