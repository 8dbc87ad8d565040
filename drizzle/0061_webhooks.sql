CREATE TABLE "platform"."webhook_attempts" (
	"delivery_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" integer,
	"answer" text,
	"problem" text,
	CONSTRAINT "webhook_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number"),
	CONSTRAINT "webhook_attempts_outcome" CHECK (("platform"."webhook_attempts"."status" IS NULL) <> ("platform"."webhook_attempts"."problem" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "platform"."webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"state" text NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_state" CHECK ("platform"."webhook_deliveries"."state" IN ('waiting', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_settled" CHECK (("platform"."webhook_deliveries"."settled_at" IS NULL) = ("platform"."webhook_deliveries"."state" = 'waiting')),
	CONSTRAINT "webhook_deliveries_next" CHECK (("platform"."webhook_deliveries"."next_attempt_at" IS NULL) = ("platform"."webhook_deliveries"."state" <> 'waiting'))
);
--> statement-breakpoint
CREATE TABLE "platform"."webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"state" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"sealed_previous_secret" text,
	"previous_secret_ends_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_endpoints_state" CHECK ("platform"."webhook_endpoints"."state" IN ('enabled', 'paused', 'disabled')),
	CONSTRAINT "webhook_endpoints_events" CHECK (cardinality("platform"."webhook_endpoints"."events") > 0),
	CONSTRAINT "webhook_endpoints_previous_secret" CHECK (("platform"."webhook_endpoints"."sealed_previous_secret" IS NULL) = ("platform"."webhook_endpoints"."previous_secret_ends_at" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "platform"."webhook_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "platform"."webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "platform"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_message_id_webhook_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "platform"."webhook_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "platform"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "platform"."webhook_deliveries" USING btree ("message_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_endpoint" ON "platform"."webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_organization" ON "platform"."webhook_endpoints" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "webhook_messages_created_at" ON "platform"."webhook_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_messages_organization" ON "platform"."webhook_messages" USING btree ("organization_id");