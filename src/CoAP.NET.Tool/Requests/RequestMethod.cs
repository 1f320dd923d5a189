namespace CoAP.Tool.Requests;

/// <summary>A method as a command.</summary>
/// <param name="Name">The name of the command.</param>
/// <param name="Code">The method.</param>
/// <param name="Description">The first line of the help.</param>
/// <param name="MayHavePayload">Whether requests may have a payload (RFC 7252, section 5.5).</param>
internal sealed record RequestMethod(string Name, CoapCode Code, string Description, bool MayHavePayload = true)
{
    public static IReadOnlyList<RequestMethod> All { get; } =
    [
        new("get", RequestCode.Get, "Read a resource (RFC 7252, section 5.8.1).", MayHavePayload: false),
        new("put", RequestCode.Put, "Replace or create a resource (RFC 7252, section 5.8.3)."),
        new("post", RequestCode.Post, "Send a payload to a resource (RFC 7252, section 5.8.2)."),
        new("delete", RequestCode.Delete, "Delete a resource (RFC 7252, section 5.8.4).", MayHavePayload: false),
        new("fetch", RequestCode.Fetch, "Read parts of a resource that the payload names (RFC 8132, section 2)."),
        new("patch", RequestCode.Patch, "Change parts of a resource (RFC 8132, section 3)."),
        new("ipatch", RequestCode.IPatch, "Change parts of a resource; repeating the request has no further effect (RFC 8132, section 3)."),
    ];

    public IReadOnlyList<string> Examples => Name switch
    {
        "get" =>
        [
            "coap get coap://localhost/sensors/temperature",
            "coap get localhost/sensors/1 --accept cbor            # in CBOR",
            "coap get coap+tcp://localhost/large --output file.bin # to a file",
            "coap get coaps://localhost/hello --psk client:secret -v",
            "coap get localhost/sensors/1 --json | jq .payload     # for scripts",
        ],
        "put" or "patch" or "ipatch" =>
        [
            $"coap {Name} coap://localhost/store/a --payload '{{\"on\":true}}' --format json",
            $"coap {Name} localhost/store/firmware --file firmware.bin",
            $"date | coap {Name} localhost/store/now --file -",
            $"coap {Name} localhost/store/a --payload x --option If-Match=0x1f",
        ],
        "delete" => ["coap delete coap://localhost/store/a"],
        _ => [$"coap {Name} coap://localhost/echo --payload hello", $"coap {Name} localhost/echo --file body.cbor --format cbor"],
    };
}
