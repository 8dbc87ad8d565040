-- An owner whose account waits for its deletion doesn't count: with them the organization would lose its last owner.
CREATE OR REPLACE FUNCTION identity.keep_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM identity.organizations WHERE id = OLD.organization_id FOR NO KEY UPDATE;
  IF FOUND AND NOT EXISTS (
    SELECT FROM identity.memberships AS owner
    WHERE owner.organization_id = OLD.organization_id AND owner.role = 'owner'
      AND NOT EXISTS (SELECT FROM identity.account_deletions AS leaving WHERE leaving.user_id = owner.user_id)
  ) THEN
    RAISE EXCEPTION 'An organization keeps an owner'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'memberships_last_owner';
  END IF;
  RETURN NULL;
END
$$;
