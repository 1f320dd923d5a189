using System.CommandLine;
using CoAP.Tool.Connecting;

namespace CoAP.Tool.Keys;

/// <summary>The argument <c>--days</c>: how long a certificate is valid.</summary>
internal sealed class ValidityArgument
{
    private const int MaxDays = 36_500;

    private readonly Option<int> _days;

    public ValidityArgument(int defaultDays)
    {
        _days = new("--days") { HelpName = "N", Description = "The number of days until the certificate expires.", DefaultValueFactory = _ => defaultDays };
        Bounds.Set(_days, 1, MaxDays);
    }

    public void AddTo(Command command) => command.Add(_days);

    public TimeSpan Of(ParseResult arguments) => TimeSpan.FromDays(arguments.GetValue(_days));
}
