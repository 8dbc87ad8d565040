CREATE TABLE "payments"."callback_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"sealed_secret" text NOT NULL,
	"last_four" text NOT NULL,
	"sealed_previous_secret" text,
	"previous_last_four" text,
	"previous_ends_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"rotated_by" uuid,
	"rotated_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "callback_secrets_organization" UNIQUE("organization_id"),
	CONSTRAINT "callback_secrets_previous" CHECK (("payments"."callback_secrets"."sealed_previous_secret" IS NULL) = ("payments"."callback_secrets"."previous_ends_at" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "payments"."settlement_callback_attempts" (
	"callback_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" integer,
	"answer" text,
	"problem" text,
	CONSTRAINT "settlement_callback_attempts_callback_id_number_pk" PRIMARY KEY("callback_id","number"),
	CONSTRAINT "settlement_callback_attempts_outcome" CHECK (("payments"."settlement_callback_attempts"."status" IS NULL) <> ("payments"."settlement_callback_attempts"."problem" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "payments"."settlement_callbacks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"settlement_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"body" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "settlement_callbacks_sequence" UNIQUE("settlement_id","sequence"),
	CONSTRAINT "settlement_callbacks_state" CHECK ("payments"."settlement_callbacks"."state" IN ('waiting', 'delivered', 'failed')),
	CONSTRAINT "settlement_callbacks_next" CHECK (("payments"."settlement_callbacks"."next_attempt_at" IS NOT NULL) = ("payments"."settlement_callbacks"."state" = 'waiting'))
);
--> statement-breakpoint
CREATE TABLE "payments"."settlement_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"settlement_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"reference" text NOT NULL,
	"recipient" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"transfer_id" text,
	"payout_id" text,
	"reversal_id" text,
	"transfer_sent_at" timestamp (3) with time zone,
	"payout_sent_at" timestamp (3) with time zone,
	"reversal_sent_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure_code" text,
	"failure_message" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"unannounced" boolean DEFAULT false NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lease_owner" text,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "settlement_items_reference" UNIQUE("settlement_id","reference"),
	CONSTRAINT "settlement_items_position" UNIQUE("settlement_id","position"),
	CONSTRAINT "settlement_items_transfer" UNIQUE("transfer_id"),
	CONSTRAINT "settlement_items_payout" UNIQUE("payout_id"),
	CONSTRAINT "settlement_items_amount" CHECK ("payments"."settlement_items"."amount" > 0),
	CONSTRAINT "settlement_items_status" CHECK ("payments"."settlement_items"."status" IN ('pending', 'sent', 'unknown', 'settled', 'failed', 'returned')),
	CONSTRAINT "settlement_items_transfer_sent" CHECK ("payments"."settlement_items"."transfer_id" IS NULL OR "payments"."settlement_items"."transfer_sent_at" IS NOT NULL),
	CONSTRAINT "settlement_items_payout_sent" CHECK ("payments"."settlement_items"."payout_id" IS NULL OR "payments"."settlement_items"."payout_sent_at" IS NOT NULL),
	CONSTRAINT "settlement_items_reversal_sent" CHECK ("payments"."settlement_items"."reversal_id" IS NULL OR "payments"."settlement_items"."reversal_sent_at" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "payments"."settlements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"batch_id" text NOT NULL,
	"status" text NOT NULL,
	"currency" text NOT NULL,
	"control_sum" bigint NOT NULL,
	"item_count" integer NOT NULL,
	"callback_url" text NOT NULL,
	"body_hash" text NOT NULL,
	"repeats" integer DEFAULT 0 NOT NULL,
	"requested_by" uuid,
	"requester_kind" text NOT NULL,
	"requesting_service" text,
	"ceiling" bigint,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"confirmed_alone" timestamp (3) with time zone,
	"failure" text,
	"missing_amount" bigint,
	"last_sequence" integer DEFAULT 0 NOT NULL,
	"callbacks_stopped_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"lease_owner" text,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "settlements_batch" UNIQUE("organization_id","batch_id"),
	CONSTRAINT "settlements_status" CHECK ("payments"."settlements"."status" IN ('needs_approval', 'accepted', 'processing', 'completed', 'partially_failed', 'failed')),
	CONSTRAINT "settlements_amounts" CHECK ("payments"."settlements"."control_sum" > 0 AND "payments"."settlements"."item_count" > 0),
	CONSTRAINT "settlements_due_status" CHECK (("payments"."settlements"."due_at" IS NOT NULL) = ("payments"."settlements"."status" = 'accepted'))
);
--> statement-breakpoint
ALTER TABLE "payments"."settlement_callback_attempts" ADD CONSTRAINT "settlement_callback_attempts_callback_id_settlement_callbacks_id_fk" FOREIGN KEY ("callback_id") REFERENCES "payments"."settlement_callbacks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."settlement_callbacks" ADD CONSTRAINT "settlement_callbacks_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "payments"."settlements"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."settlement_items" ADD CONSTRAINT "settlement_items_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "payments"."settlements"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."settlements" ADD CONSTRAINT "settlements_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "payments"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "settlement_callback_attempts_organization" ON "payments"."settlement_callback_attempts" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "settlement_callbacks_waiting" ON "payments"."settlement_callbacks" USING btree ("next_attempt_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "settlement_callbacks_organization" ON "payments"."settlement_callbacks" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "settlement_items_by_status" ON "payments"."settlement_items" USING btree ("settlement_id","status","position");--> statement-breakpoint
CREATE INDEX "settlement_items_by_recipient" ON "payments"."settlement_items" USING btree ("organization_id","recipient");--> statement-breakpoint
CREATE INDEX "settlement_items_due" ON "payments"."settlement_items" USING btree ("due_at","id") WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "settlement_items_unannounced" ON "payments"."settlement_items" USING btree ("settlement_id") WHERE unannounced;--> statement-breakpoint
CREATE INDEX "settlements_newest" ON "payments"."settlements" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "settlements_by_status" ON "payments"."settlements" USING btree ("organization_id","status","id");--> statement-breakpoint
CREATE INDEX "settlements_due" ON "payments"."settlements" USING btree ("due_at","id") WHERE due_at IS NOT NULL;