import type { AuthorizeRequest, PendingAuthorization } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Choices, DoorCard, Promises } from '../sign-in/door-card.tsx'

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
          <button type="submit" class="link">
            Use another account
          </button>
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
  <DoorCard
    title={`You can’t sign in to ${app.name} this way`}
    mark={<Meeting name={app.name} />}
    lead={
      <span safe>
        {`You signed in with the single sign-on of ${confinedTo ?? 'your organization'}, which can’t be used for ${app.name}. Use another account to continue.`}
      </span>
    }
  >
    <Form class="stack" hx-post="/sso/authorize">
      <Fields fields={fieldsOf(request)} />
      <Button label={`Back to ${app.name}`} size="lg" block type="submit" name="decision" value="deny" />
    </Form>
  </DoorCard>
)

const Meeting = ({ name }: { name: string }) => (
  <div class="meet">
    <span class="app-mark" data-size="lg">
      <Icon name="layout-grid" />
    </span>
    <Icon name="arrow-left-right" />
    <Avatar name={name} size="xl" shape="square" />
  </div>
)

const Consent = ({ request, authorization: { app } }: AuthorizeProps) => (
  <DoorCard
    title={`Sign in to ${app.name}?`}
    mark={<Meeting name={app.name} />}
    lead={
      <>
        at <b safe>{app.host}</b>
      </>
    }
  >
    <Promises
      label={`What ${app.name} can do`}
      items={[
        { text: 'See your name, email address and current organization', included: true },
        { text: 'Post, or change anything in Atrium', included: false },
      ]}
    />
    <Form class="stack" hx-post="/sso/authorize">
      <Fields fields={fieldsOf(request)} />
      <Choices>
        <Button label={`Sign in to ${app.name}`} variant="primary" size="lg" block type="submit" />
        <Button label="Cancel" variant="ghost" size="lg" block type="submit" name="decision" value="deny" />
      </Choices>
    </Form>
    <p class="muted small">You can end its session at any time under Settings, Sessions.</p>
  </DoorCard>
)

const Choose = ({ request, authorization: { app, choices } }: AuthorizeProps) => (
  <DoorCard title={`Open ${app.name} in`} mark={<Meeting name={app.name} />}>
    {choices?.length ? (
      <Form class="stack" hx-post="/sso/authorize">
        <Fields fields={fieldsOf(request).filter(([name]) => name !== 'context')} />
        <Choices>
          {choices.map(({ id, name }) => (
            <Button label={name} size="lg" block type="submit" name="context" value={id ?? 'personal'} />
          ))}
        </Choices>
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
