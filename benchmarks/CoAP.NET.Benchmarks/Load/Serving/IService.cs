namespace CoAP.Benchmarks.Load;

/// <summary>The service of a server process.</summary>
internal interface IService : IAsyncDisposable
{
    /// <summary>Its addresses as "name value", such as "tcp 40123".</summary>
    IEnumerable<string> Addresses { get; }

    /// <summary>Answers a question of the measurement in one line.</summary>
    string Answer(string question) => "";
}

/// <summary>The "name=value" words that a server process is started with.</summary>
internal sealed class ServiceValues : Dictionary<string, string>
{
    public static ServiceValues Parse(IEnumerable<string> words)
    {
        var values = new ServiceValues();
        foreach (var word in words.Select(static word => word.Split('=', 2))) { values[word[0]] = word[1]; }
        return values;
    }

    public double Number(string name, double otherwise = 0) => TryGetValue(name, out var text) ? double.Parse(text, CultureInfo.InvariantCulture) : otherwise;

    public T OneOf<T>(string name) where T : struct, Enum => TryGetValue(name, out var text) ? Enum.Parse<T>(text, ignoreCase: true) : default;
}
