import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'

export interface DemoAccountsProps {
  people: readonly { role: string; name: string; email: string }[]
  password: string
}

/** One button a person of the demo workspace. */
export const DemoAccounts = ({ people, password }: DemoAccountsProps) => (
  <section class="card demo" aria-labelledby="demo-title">
    <h2 id="demo-title">Demo workspace</h2>
    <p class="muted" safe>
      {`Only on this computer. Password: ${password}`}
    </p>
    {people.map(({ role, name, email }) => (
      <Form hx-post="/api/auth/login">
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="password" value={password} />
        <Button label={`${name}, ${role}`} block type="submit" />
      </Form>
    ))}
  </section>
)
