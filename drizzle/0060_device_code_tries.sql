CREATE TABLE "identity"."device_code_tries" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"tries" integer NOT NULL,
	"wait_until" timestamp (3) with time zone,
	CONSTRAINT "device_code_tries_positive" CHECK ("identity"."device_code_tries"."tries" > 0)
);
--> statement-breakpoint
ALTER TABLE "identity"."device_code_tries" ADD CONSTRAINT "device_code_tries_device_id_known_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "identity"."known_devices"("id") ON DELETE cascade ON UPDATE no action;