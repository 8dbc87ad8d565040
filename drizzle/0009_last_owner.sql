-- Every organization keeps an owner (IDN-10). The lock lets changes of one organization's members pass one by one, so
-- that of two owners who leave at the same time the second sees that the first is gone.
CREATE FUNCTION identity.keep_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM identity.organizations WHERE id = OLD.organization_id FOR NO KEY UPDATE;
  IF FOUND AND NOT EXISTS (
    SELECT FROM identity.memberships WHERE organization_id = OLD.organization_id AND role = 'owner'
  ) THEN
    RAISE EXCEPTION 'An organization keeps an owner'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'memberships_last_owner';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER memberships_last_owner AFTER UPDATE OR DELETE ON identity.memberships
  FOR EACH ROW WHEN (OLD.role = 'owner') EXECUTE FUNCTION identity.keep_owner();
