using System.Globalization;

namespace CoAP.Load.Compare;

/// <summary>One kind of load.</summary>
/// <param name="IsTcp">Over TCP.</param>
/// <param name="Sockets">The sockets or connections.</param>
/// <param name="Outstanding">The requests without answer: in all over UDP, of each connection over TCP.</param>
internal sealed record Case(bool IsTcp, int Sockets, int Outstanding)
{
    public override string ToString() => IsTcp
        ? string.Create(CultureInfo.InvariantCulture, $"TCP, {Sockets:N0} × {Outstanding}")
        : string.Create(CultureInfo.InvariantCulture, $"UDP, {Outstanding} over {Sockets:N0} sockets");
}
