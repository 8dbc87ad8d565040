import type { SignInOptions } from '#identity/types'
import { capitalize } from '#lib/text.ts'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'

type DemoAccountsProps = NonNullable<SignInOptions['demo']>

export const DemoAccounts = ({ people, password }: DemoAccountsProps) => (
  <section class="demo" aria-labelledby="demo-title">
    <h2 id="demo-title">Demo accounts</h2>
    <p class="muted small" safe>
      {`Only on this computer. Password: ${password}`}
    </p>
    <div class="row" data-wrap>
      {people.map(({ role, name, email }) => (
        <Form hx-post="/api/auth/login">
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="password" value={password} />
          <Button label={capitalize(role)} title={name} size="sm" type="submit" />
        </Form>
      ))}
    </div>
  </section>
)
