CREATE TABLE "identity"."known_devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"mark" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_devices_mark" UNIQUE("user_id","mark")
);
--> statement-breakpoint
CREATE TABLE "identity"."sign_in_failures" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"failures" integer NOT NULL,
	"last_failed_at" timestamp (3) with time zone NOT NULL,
	"waits_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sign_in_failures_kind_subject_pk" PRIMARY KEY("kind","subject"),
	CONSTRAINT "sign_in_failures_kind" CHECK ("identity"."sign_in_failures"."kind" IN ('account', 'device', 'proof', 'address')),
	CONSTRAINT "sign_in_failures_count" CHECK ("identity"."sign_in_failures"."failures" > 0)
);
--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "known_devices_last_used_at" ON "identity"."known_devices" USING btree ("last_used_at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_last_failed_at" ON "identity"."sign_in_failures" USING btree ("last_failed_at");