using System.Collections;

namespace CoAP.Options;

/// <content>The walk that makes typed options.</content>
public readonly partial struct OptionSet
{
    /// <summary>Makes the typed options one after another. Not safe for concurrent use.</summary>
    public struct Enumerator : IEnumerator<CoapOption>
    {
        private readonly OptionSet _set;
        private int _position;
        private int _number;

        internal Enumerator(OptionSet set)
        {
            _set = set;
            Current = null!;
        }

        /// <summary>The current option.</summary>
        public CoapOption Current { get; private set; }

        readonly object IEnumerator.Current => Current;

        /// <summary>Moves to the next option.</summary>
        public bool MoveNext()
        {
            if (_set._source is OptionSpace space) { return MoveNext(space); }
            var typed = _set.Typed;
            if (_position >= typed.Length) { return false; }
            Current = typed[_position++];
            return true;
        }

        /// <summary>Moves back to the start.</summary>
        public void Reset()
        {
            _position = 0;
            _number = 0;
        }

        /// <summary>Does nothing: there is nothing to release.</summary>
        public readonly void Dispose()
        {
        }

        private bool MoveNext(OptionSpace space)
        {
            var reader = new OptionReader(_set._wire.Span, _position, _number);
            if (!reader.Next()) { return false; }
            var isRepeated = reader.Number == _number && _position > 0;
            var typed = space.TryFind(reader.Number, out var declaration) && (!isRepeated || declaration.IsRepeatable) ? declaration.Create(reader.Value) : null;
            Current = typed ?? new UnknownOption(reader.Number, reader.Value.ToArray());
            _position = reader.Position;
            _number = reader.Number;
            return true;
        }
    }
}
