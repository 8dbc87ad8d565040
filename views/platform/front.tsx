import { ButtonLink } from '#views/ui/button.tsx'

/** What a stranger sees first. */
export const Front = () => (
  <section class="front">
    <h1>Write once, publish everywhere, exactly once</h1>
    <p>
      Atrium plans your brands’ posts, sends each at its minute, and tells you plainly when something went wrong and
      what to do.
    </p>
    <div class="actions">
      <ButtonLink label="Create a workspace" variant="primary" size="lg" href="/register" />
      <ButtonLink label="Sign in" size="lg" href="/login" />
    </div>
  </section>
)
