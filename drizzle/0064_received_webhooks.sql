CREATE TABLE "platform"."received_webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook" text NOT NULL,
	"path" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text,
	"params" jsonb NOT NULL,
	"body" "bytea" NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "received_webhooks_state" CHECK ("platform"."received_webhooks"."state" IN ('waiting', 'handled', 'failed')),
	CONSTRAINT "received_webhooks_settled" CHECK (("platform"."received_webhooks"."settled_at" IS NULL) = ("platform"."received_webhooks"."state" = 'waiting')),
	CONSTRAINT "received_webhooks_problem" CHECK (("platform"."received_webhooks"."problem" IS NULL) = ("platform"."received_webhooks"."state" <> 'failed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "received_webhooks_once" ON "platform"."received_webhooks" USING btree ("path","event_id");--> statement-breakpoint
CREATE INDEX "received_webhooks_received_at" ON "platform"."received_webhooks" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "received_webhooks_newest" ON "platform"."received_webhooks" USING btree ("webhook","id");