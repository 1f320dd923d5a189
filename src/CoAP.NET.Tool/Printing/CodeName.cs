using System.Reflection;
using System.Text;

namespace CoAP.Tool.Printing;

/// <summary>The registered names of codes: "2.05 Content", "GET", "7.01 CSM".</summary>
internal static class CodeName
{
    private static readonly Dictionary<CoapCode, string> Names = Read(typeof(ResponseCode), static name => ToWords(name))
        .Concat(Read(typeof(SignalCode), static name => name == "Csm" ? "CSM" : name))
        .Concat(Read(typeof(RequestCode), static name => name == "IPatch" ? "iPATCH" : name.ToUpperInvariant()))
        .ToDictionary();

    /// <summary>Returns the name alone; an empty text if the code is not registered.</summary>
    public static string Of(CoapCode code) => Names.GetValueOrDefault(code, "");

    /// <summary>Returns a method by its name, and other codes with number and name.</summary>
    public static string Describe(CoapCode code) => code.IsEmpty ? "Empty" : code.IsRequest && Of(code) is { Length: > 0 } method ? method : $"{code} {Of(code)}".TrimEnd();

    private static IEnumerable<KeyValuePair<CoapCode, string>> Read(Type codes, Func<string, string> toName) =>
        from property in codes.GetProperties(BindingFlags.Public | BindingFlags.Static)
        where property.PropertyType == typeof(CoapCode)
        select KeyValuePair.Create((CoapCode)property.GetValue(null)!, toName(property.Name));

    private static string ToWords(string name)
    {
        var words = new StringBuilder();
        foreach (var letter in name)
        {
            if (char.IsUpper(letter) && words.Length > 0) { words.Append(' '); }
            words.Append(letter);
        }
        return words.ToString();
    }
}
