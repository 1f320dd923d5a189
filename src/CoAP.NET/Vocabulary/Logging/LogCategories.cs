namespace CoAP.Vocabulary;

/// <summary>The categories of log messages, one for each part of an endpoint that a user may want to see or silence.</summary>
internal static class LogCategories
{
    /// <summary>The place in <see cref="All"/> of the messages about received requests, their handlers and their responses.</summary>
    public const int Requests = 1;

    private const int Endpoint = 0, Connections = 2, Security = 3, Observations = 4, Limits = 5, Messages = 6, Mesh = 7;

    // The IDs from 200 on belong to the package CoAP.NET.Dtls.
    private const int FirstOfDtls = 200, LastOfDtls = 299;

    /// <summary>All categories.</summary>
    public static IReadOnlyList<string> All { get; } =
        ["CoAP.Endpoint", "CoAP.Requests", "CoAP.Connections", "CoAP.Security", "CoAP.Observations", "CoAP.Limits", "CoAP.Messages", "CoAP.Mesh"];

    /// <summary>Returns the category of a message.</summary>
    /// <param name="id">The ID of its event.</param>
    public static string Of(int id) => All[PlaceOf(id)];

    /// <summary>Returns the place in <see cref="All"/> of the category of a message.</summary>
    /// <param name="id">The ID of its event.</param>
    public static int PlaceOf(int id) => id switch
    {
        16 or 17 or 18 or 19 or 22 or 61 or 62 or 80 => Endpoint,
        2 or 3 or 7 or 12 or 13 or 14 or 15 or 20 or 23 or 24 or 25 or 33 or 34 or 35 or 38 => Requests,
        8 or 9 or 11 or 37 or 41 or 60 or 70 => Connections,
        31 or 52 or (>= FirstOfDtls and <= LastOfDtls) => Security,
        21 or 32 => Observations,
        36 or 39 or 42 => Limits,
        5 => Messages,
        _ => Mesh,
    };
}
