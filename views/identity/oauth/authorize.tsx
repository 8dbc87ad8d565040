import type { AuthorizeRequest, PendingAuthorization } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'

interface AuthorizeProps {
  request: AuthorizeRequest
  authorization: PendingAuthorization
}

export const Authorize = (props: AuthorizeProps) => (
  <>
    <Question {...props} />
    <footer>
      <Form hx-post="/api/auth/logout">
        <input type="hidden" name="next" value={`/sso/authorize?${new URLSearchParams(fieldsOf(props.request))}`} />
        <span class="wrap-anywhere">
          <span safe>{`You’re signed in as ${props.authorization.email}.`}</span>{' '}
          <Button label="Use another account" variant="ghost" size="sm" type="submit" />
        </span>
      </Form>
    </footer>
  </>
)

const fieldsOf = (request: AuthorizeRequest): [string, string][] =>
  Object.entries(request).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))

const Question = (props: AuthorizeProps) => {
  const { question } = props.authorization
  if (question === 'account') return <OtherAccount {...props} />
  return question === 'context' ? <Choose {...props} /> : <Consent {...props} />
}

const OtherAccount = ({ request, authorization: { app, confinedTo } }: AuthorizeProps) => (
  <DoorCard title={`You can’t sign in to ${app.name} this way`}>
    <p class="wrap-anywhere" safe>
      {`You signed in with the single sign-on of ${confinedTo ?? 'your organization'}, which can’t be used for ${app.name}. Use another account to continue.`}
    </p>
    <Form class="stack" hx-post="/sso/authorize">
      <Fields fields={fieldsOf(request)} />
      <Button label={`Back to ${app.name}`} size="lg" block type="submit" name="decision" value="deny" />
    </Form>
  </DoorCard>
)

const Consent = ({ request, authorization: { app } }: AuthorizeProps) => (
  <DoorCard title={`Sign in to ${app.name}?`}>
    <p class="wrap-anywhere" safe>
      {`${app.name} at ${app.host} will see your name, your email address and your current organization. It can’t change anything in Atrium. You can end its session in your settings under Sessions.`}
    </p>
    <Form class="stack" hx-post="/sso/authorize">
      <Fields fields={fieldsOf(request)} />
      <Button label={`Sign in to ${app.name}`} variant="primary" size="lg" block type="submit" />
      <Button label="Cancel" size="lg" block type="submit" name="decision" value="deny" />
    </Form>
  </DoorCard>
)

const Choose = ({ request, authorization: { app, choices } }: AuthorizeProps) => (
  <DoorCard title={`Open ${app.name} in`}>
    {choices?.length ? (
      <Form class="stack" hx-post="/sso/authorize">
        <Fields fields={fieldsOf(request).filter(([name]) => name !== 'context')} />
        <>
          {choices.map(({ id, name }) => (
            <Button label={name} size="lg" block type="submit" name="context" value={id ?? 'personal'} />
          ))}
        </>
      </Form>
    ) : (
      <p safe>{`None of your organizations has ${app.name}. Ask an owner to add it.`}</p>
    )}
  </DoorCard>
)

const Fields = ({ fields }: { fields: [string, string][] }) => (
  <>
    {fields.map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)
