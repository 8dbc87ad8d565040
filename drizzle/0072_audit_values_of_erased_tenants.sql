-- The values of a tenant that is erased leave the log; everything else in it stays as it was written.
CREATE FUNCTION platform.allow_only_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('atrium.erased_tenant', true)
      = coalesce(OLD.organization_id, OLD.principal_id)::text
    AND NEW.before IS NULL AND NEW.after IS NULL
    AND to_jsonb(NEW) - 'before' - 'after' = to_jsonb(OLD) - 'before' - 'after'
  THEN RETURN NEW;
  END IF;
  RAISE EXCEPTION 'platform.% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
DROP TRIGGER audit_log_append_only ON platform.audit_log;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE DELETE ON platform.audit_log
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_erasure_only BEFORE UPDATE ON platform.audit_log
  FOR EACH ROW EXECUTE FUNCTION platform.allow_only_erasure();
