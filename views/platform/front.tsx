import { ButtonLink } from '#views/ui/button.tsx'

export const Front = () => (
  <section class="front">
    <h1>Schedule your brands’ posts in one place</h1>
    <p>
      Atrium publishes every post on time and exactly once. If something fails, it tells you what happened and what to
      do.
    </p>
    <div class="actions">
      <ButtonLink label="Create an organization" variant="primary" size="lg" href="/register" />
      <ButtonLink label="Sign in" size="lg" href="/login" />
    </div>
  </section>
)
