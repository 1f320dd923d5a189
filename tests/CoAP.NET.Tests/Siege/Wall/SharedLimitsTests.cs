using System.Net;

namespace CoAP.Tests.Siege.Wall;

/// <summary>An honest peer is served while an attacker has filled a limit, as far as the limit lets it.</summary>
public sealed class SharedLimitsTests
{
    private const int MostAttempts = 400;
    private const int Further = 10;

    private static readonly IPEndPoint Honest = new(IPAddress.Parse("198.51.100.7"), 5683);

    private static readonly string[] Limits =
    [
        "requests", "steps", "user blocks", "handler queue", "handler threads", "body threads", "bodies", "observations", "observed bodies", "observed options",
        "authorizations", "handler bytes", "queued bytes", "authorizer bytes", "user block bytes",
    ];

    public static IEnumerable<object[]> Sieges =>
        from limit in Limits from attacker in Enum.GetNames<AttackerKind>() select new object[] { limit, attacker };

    [Theory]
    [MemberData(nameof(Sieges))]
    public async Task An_honest_peer_is_served_while_the_limit_is_full(string limit, string attacker) =>
        await BesiegeAsync(Limit.Named(limit), Enum.Parse<AttackerKind>(attacker));

    private static async Task BesiegeAsync(Limit limit, AttackerKind kind)
    {
        await using Fortress fortress = kind == AttackerKind.Connections ? new ConnectionFortress(limit) : new WireFortress(limit);
        using (var attacker = new Attacker(kind, fortress))
        {
            await FillAsync(attacker, limit, limit.RefusalOf(kind));
            var book = limit.BookOf(fortress.Ledger);
            Fortress.Await(() => limit.IsFilled(kind, book), () => $"{book.Used} of {book.Limit} are used");

            using var honest = await fortress.AdmitAsync(Honest);
            await limit.ServeAsync(honest, fortress);
        }
        fortress.Open("attacker");
        await fortress.RunUntilAsync(() => fortress.Ledger.Books.All(static one => one.Book is { Used: 0, Count: 0 }));
    }

    // A handler thread that starts late takes a request from the queue, so there can be room once more after the first refusal.
    private static async Task FillAsync(Attacker attacker, Limit limit, string refusal)
    {
        for (int attempts = 0, inARow = 0; inARow <= Further; attempts++)
        {
            attempts.Should().BeLessThan(MostAttempts, "the attacker has to be refused for good");
            inARow = await attacker.AskAsync(limit.Attack) == refusal ? inARow + 1 : 0;
        }
    }
}
