-- An organization's owners are people, whoever gives the role (IDN-47).
CREATE FUNCTION identity.keep_agents_from_owning() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM identity.users WHERE id = NEW.user_id AND principal_type = 'agent') THEN
    RAISE EXCEPTION 'An agent is never an owner'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'memberships_agent_owner';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER memberships_agent_owner AFTER INSERT OR UPDATE OF role ON identity.memberships
  FOR EACH ROW WHEN (NEW.role = 'owner') EXECUTE FUNCTION identity.keep_agents_from_owning();
