export const Grid = () => (
  <>
    <h1 class="visually-hidden">Dashboard</h1>
  </>
)
