CREATE TABLE "platform"."idempotency_keys" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"state" text NOT NULL,
	"status" integer,
	"answer" json,
	"options" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_scope_key_pk" PRIMARY KEY("scope","key"),
	CONSTRAINT "idempotency_keys_state" CHECK ("platform"."idempotency_keys"."state" IN ('running', 'done')),
	CONSTRAINT "idempotency_keys_done" CHECK (("platform"."idempotency_keys"."state" = 'done') = ("platform"."idempotency_keys"."status" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "platform"."rate_limits" (
	"subject" text NOT NULL,
	"class" text NOT NULL,
	"taken" bigint NOT NULL,
	"resets_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rate_limits_subject_class_pk" PRIMARY KEY("subject","class")
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_expires_at" ON "platform"."idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rate_limits_resets_at" ON "platform"."rate_limits" USING btree ("resets_at");