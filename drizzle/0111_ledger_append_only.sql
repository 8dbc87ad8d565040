-- Rows of the ledger are only added. The erasure of a deleted organization names it in the setting, as for the audit log.
CREATE FUNCTION payments.refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF current_setting('atrium.erased_tenant', true) = OLD.organization_id::text THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'payments.% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE ON payments.ledger_transactions
  FOR EACH ROW EXECUTE FUNCTION payments.refuse_ledger_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON payments.ledger_entries
  FOR EACH ROW EXECUTE FUNCTION payments.refuse_ledger_change();
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_not_emptied BEFORE TRUNCATE ON payments.ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_ledger_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_not_emptied BEFORE TRUNCATE ON payments.ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_ledger_change();
--> statement-breakpoint
-- A transaction says how many entries it has. At the commit it has them all, so a later one finds no position left.
CREATE FUNCTION payments.check_ledger_entries() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added LEFT JOIN payments.ledger_transactions AS owner ON owner.id = added.transaction_id
    WHERE owner.id IS NULL OR added.position > owner.entry_count
      OR added.organization_id <> owner.organization_id OR added.merchant_id <> owner.merchant_id
  ) THEN
    RAISE EXCEPTION 'entries are only added with their transaction'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entries_with_transaction';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_with_transaction AFTER INSERT ON payments.ledger_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payments.check_ledger_entries();
--> statement-breakpoint
CREATE FUNCTION payments.check_ledger_balance() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF (SELECT count(*) FROM payments.ledger_entries WHERE transaction_id = NEW.id) <> NEW.entry_count
    OR EXISTS (
      SELECT FROM payments.ledger_entries WHERE transaction_id = NEW.id GROUP BY currency HAVING sum(amount) <> 0)
  THEN
    RAISE EXCEPTION 'ledger transaction % is not balanced', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transactions_balanced';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_transactions_balanced AFTER INSERT ON payments.ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payments.check_ledger_balance();
--> statement-breakpoint
-- Also for the owner of the tables, who could only grant it to itself again.
REVOKE UPDATE, DELETE, TRUNCATE ON payments.ledger_transactions, payments.ledger_entries FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
-- Deletes up to `most` transactions of an erased organization, and returns how many it deleted.
CREATE FUNCTION payments.erase_ledger(erased uuid, most integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  granted boolean := has_table_privilege('payments.ledger_entries', 'DELETE');
BEGIN
  -- Grants of two servers at once would fail.
  PERFORM pg_advisory_xact_lock(hashtextextended('payments.erase_ledger', 0));
  ids := ARRAY(SELECT id FROM payments.ledger_transactions WHERE organization_id = erased LIMIT most);
  IF NOT granted THEN
    GRANT DELETE ON payments.ledger_transactions, payments.ledger_entries TO CURRENT_USER;
  END IF;
  PERFORM set_config('atrium.erased_tenant', erased::text, true);
  DELETE FROM payments.ledger_entries WHERE transaction_id = ANY (ids);
  DELETE FROM payments.ledger_transactions WHERE id = ANY (ids);
  -- Entries whose transaction was deleted behind the triggers.
  IF cardinality(ids) < most THEN DELETE FROM payments.ledger_entries WHERE organization_id = erased; END IF;
  PERFORM set_config('atrium.erased_tenant', '', true);
  IF NOT granted THEN
    REVOKE DELETE ON payments.ledger_transactions, payments.ledger_entries FROM CURRENT_USER;
  END IF;
  RETURN cardinality(ids);
END $$;
