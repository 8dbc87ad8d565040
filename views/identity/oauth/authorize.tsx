import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'

export interface AuthorizeProps {
  /** Who asks; `host` is where the answer goes. */
  app: { name: string; description: string; host: string }
  /** The email address of the signed-in person. */
  me: string
  /** The request, as it goes along with the answer. */
  fields: { name: string; value: string }[]
  /** The contexts to choose from; null where consent is asked for. */
  choices: readonly { id: string | null; name: string }[] | null
  /** The organization whose own provider signed the person in, when that is not enough for this app; else null. */
  confinedTo: string | null
  /** This page's own address, to come back to. */
  here: string
}

/** Asks a signed-in person for consent to a service, or in which organization to open it. */
export const Authorize = (props: AuthorizeProps) => (
  <>
    <Question {...props} />
    <footer>
      <Form hx-post="/api/auth/logout">
        <input type="hidden" name="next" value={props.here} />
        <span class="wrap-anywhere">
          <span safe>{`You are ${props.me}.`}</span>{' '}
          <Button label="Use another account" variant="ghost" size="sm" type="submit" />
        </span>
      </Form>
    </footer>
  </>
)

const Question = (props: AuthorizeProps) => {
  const { choices, confinedTo } = props
  if (confinedTo !== null) return <Confined {...props} confinedTo={confinedTo} />
  return choices === null ? <Consent {...props} /> : <Choose {...props} choices={choices} />
}

const Confined = ({ app, fields, confinedTo }: AuthorizeProps & { confinedTo: string }) => (
  <DoorCard title={`You can’t sign in to ${app.name} this way`}>
    <p class="wrap-anywhere" safe>
      {`You are signed in through ${confinedTo}’s own sign-in, which works in ${confinedTo} only. To open ${app.name}, use another account below and sign in yourself.`}
    </p>
    <Form class="stack" hx-post="/sso/authorize">
      <Fields fields={fields} />
      <Button label={`Back to ${app.name}`} size="lg" block type="submit" name="decision" value="deny" />
    </Form>
  </DoorCard>
)

const Consent = ({ app, fields }: AuthorizeProps) => (
  <DoorCard title={`Sign in to ${app.name}?`}>
    <p class="wrap-anywhere" safe>
      {`${app.name} at ${app.host} will know your name, your email address and the workspace you are in. It can’t act in Atrium for you, and you can end its session under Settings, Sessions.`}
    </p>
    <Form class="stack" hx-post="/sso/authorize">
      <Fields fields={fields} />
      <Button label={`Sign in to ${app.name}`} variant="primary" size="lg" block type="submit" />
      <Button label="Not now" size="lg" block type="submit" name="decision" value="deny" />
    </Form>
  </DoorCard>
)

const Choose = ({ app, fields, choices }: AuthorizeProps & { choices: NonNullable<AuthorizeProps['choices']> }) => (
  <DoorCard title={`Open ${app.name} in`}>
    {choices.length === 0 ? (
      <p safe>{`None of your workspaces has ${app.name}. Ask an owner of one to add it.`}</p>
    ) : (
      <Form class="stack" hx-post="/sso/authorize">
        <Fields fields={fields.filter(({ name }) => name !== 'context')} />
        <>
          {choices.map(({ id, name }) => (
            <Button label={name} size="lg" block type="submit" name="context" value={id ?? 'personal'} />
          ))}
        </>
      </Form>
    )}
  </DoorCard>
)

const Fields = ({ fields }: Pick<AuthorizeProps, 'fields'>) => (
  <>
    {fields.map(({ name, value }) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)
